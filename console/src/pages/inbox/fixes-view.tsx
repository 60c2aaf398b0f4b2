import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import type { ConfigFix } from '../../../../src/contracts/proposal';
import { useOne, useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { ButtonLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { Filter } from './filter';
import { FixFollowUp } from './fix-follow-up';
import classes from './inbox-page.module.css';
import { StandBadge } from './marks';
import { Panes } from './panes';
import { useInbox } from './use-inbox';
import { chosenOf, FIX_CHOICES } from './views';

const COLUMNS: readonly Column<ConfigFix>[] = [
  { name: 'Last approved first', width: 'minmax(0, 1fr)', cell: (fix) => <Row fix={fix} /> },
];

/** Approved fixes: who has to apply them, and whether they helped. */
export function FixesView() {
  const inbox = useInbox();
  const { search, id } = inbox;
  const chosen = chosenOf(FIX_CHOICES, search.status);
  const rows = useRows<ConfigFix>('config_fixes', '/v1/config-fixes', { status: chosen.statuses });
  return (
    <Panes
      inbox={inbox}
      ids={rows.items.map(({ id: one }) => one)}
      list={
        <Stack gap="xs">
          <Filter
            label="Status"
            choices={FIX_CHOICES}
            value={chosen.value}
            choose={(status) =>
              inbox.show({ view: 'fixes', ...(status === undefined ? {} : { status }) })
            }
          />
          <RowsTable
            label="Fixes"
            rows={rows}
            columns={COLUMNS}
            keyOf={(fix) => fix.id}
            open={(fix) => inbox.open(fix.id)}
            selected={id}
            follow
            rowHeight={66}
            height="calc(100vh - 300px)"
            empty={
              <Empty title="No fixes here" icon={IconTool}>
                A configuration fix comes here once somebody approves it, until what happens since
                proves it.
              </Empty>
            }
          />
        </Stack>
      }
    >
      {(open) => <FixMatter key={open} id={open} />}
    </Panes>
  );
}

function Row({ fix: { status, team, step, approved_at } }: { fix: ConfigFix }) {
  return (
    <Stack gap={3}>
      <Group gap={6} justify="space-between" wrap="nowrap">
        <StandBadge status={status} ofFix />
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          <When at={approved_at} />
        </Text>
      </Group>
      <Text size="sm" fw={500} lineClamp={2} className="told">
        {step.step} of {step.workflow}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        team {team}
      </Text>
    </Stack>
  );
}

function FixMatter({ id }: { id: string }) {
  const query = useOne<ConfigFix>('config_fixes', `/v1/config-fixes/${encodeURIComponent(id)}`);
  return (
    <Loaded query={query} lines={8}>
      {(fix) => (
        <Stack gap="md">
          <Stack gap={6}>
            <Group>
              <StandBadge status={fix.status} ofFix />
            </Group>
            <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {fix.step.step} of {fix.step.workflow}
            </Title>
          </Stack>
          <Panel
            title="The fix"
            actions={
              <ButtonLink to="/inbox/$id" params={{ id: fix.proposal_id }}>
                Its proposal and evidence
              </ButtonLink>
            }
          >
            <Stack gap="sm">
              <Text fw={500} className={`told ${classes.quote}`}>
                {fix.fix}
              </Text>
              <Text size="sm" c="dimmed">
                Step <Code>{fix.step.step}</Code> of <Code>{fix.step.workflow}</Code>, team{' '}
                {fix.team}
              </Text>
            </Stack>
          </Panel>
          <Panel title="Follow-up">
            <FixFollowUp fix={fix} />
          </Panel>
        </Stack>
      )}
    </Loaded>
  );
}
