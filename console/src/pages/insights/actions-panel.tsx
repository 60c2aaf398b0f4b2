import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Insight, InsightAction } from '../../../../src/contracts/insight';
import { useMay } from '../../app/session-context';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { ActionButtons } from './action-buttons';
import { evidenceInWords } from './evidence-words';
import { PriorityMark, ResultMark, StatusMark } from './marks';
import { outcomeInWords, UNMEASURED } from './words';

/** What to do about it, the best first, with what is known of each; here one takes and follows it. */
export function ActionsPanel({ insight }: { insight: Insight }) {
  const mayActions = useMay('GET /v1/actions');
  const { actions, removed } = insight;
  return (
    <Panel title="Actions" says="The best first, by what came of them before">
      <Stack gap="lg">
        {actions.length === 0 && (
          <Text size="sm" c="dimmed">
            It recommends no action{removed > 0 ? ' that is not blocked' : ''}.
          </Text>
        )}
        {actions.map((action) => (
          <Action key={action.id} insight={insight} action={action} />
        ))}
        {removed > 0 && (
          <Text size="sm" c="dimmed">
            {removed} {removed === 1 ? 'action is' : 'actions are'} left out, because a person
            blocked {removed === 1 ? 'it' : 'them'}.{' '}
            {mayActions && (
              <AnchorLink
                to="/insights"
                search={{ tab: 'actions', blocked: 'true' }}
                underline="always"
              >
                See what is blocked
              </AnchorLink>
            )}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

function Action({ insight, action }: { insight: Insight; action: InsightAction }) {
  const { outcome, taken_at: takenAt, taken_by: by, measure_at: measureAt, status } = action;
  return (
    <Stack gap={6} component="section" aria-label={action.text} data-action={action.id}>
      <Title order={3} size="h6" className="told">
        {action.text}
      </Title>
      <Group gap={6}>
        <PriorityMark priority={action.priority} />
        <StatusMark action={action} />
        {outcome !== null && <ResultMark result={outcome.result} />}
        <Text span size="xs" c="dimmed" className="numbers">
          boost {action.boost.toFixed(2)} · {evidenceInWords(action.evidence)}
        </Text>
      </Group>
      <Text size="sm" className="told">
        {action.rationale}
      </Text>
      {action.caution !== undefined && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} p="xs">
          {action.caution}
        </Alert>
      )}
      {takenAt !== null && (
        <Text size="sm">
          Taken <When at={takenAt} />
          {by !== null && ` by ${by.id}`}
          {status === 'taken' && (
            <>
              ; measured <When at={measureAt} />
            </>
          )}
          .
        </Text>
      )}
      {outcome !== null && (
        <Text size="sm" className="told">
          <b>{outcome.channel === 'measured' ? 'Measured' : `Told by ${outcome.by.id}`}</b>{' '}
          <When at={outcome.at} />: {outcomeInWords(outcome)}.{' '}
          {outcome.card_id !== null && (
            <AnchorLink to="/cards/$id" params={{ id: outcome.card_id }} underline="always">
              The card that tells it
            </AnchorLink>
          )}
        </Text>
      )}
      {action.ended_code !== null && outcome === null && (
        <Text size="sm">{UNMEASURED[action.ended_code]}</Text>
      )}
      <ActionButtons insight={insight} action={action} />
    </Stack>
  );
}
