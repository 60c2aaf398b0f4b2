import { Stack, Text } from '@mantine/core';
import type { Card } from '../../../../src/contracts/card';
import type { ProposalChange } from '../../../../src/contracts/proposal';
import type { SkillEntry } from '../../../../src/contracts/skill';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { DiffText } from '../../components/diff-text';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import classes from './inbox-page.module.css';

interface Nearest {
  card_id: string;
  version: number;
  similarity: number;
}

/** A procedure, and how it differs from the most alike one that is kept already. */
export function SkillWorld({ change, summary }: { change: ProposalChange; summary: string }) {
  const nearest = nearestOf(change);
  return (
    <Panel title="The skill that would be kept">
      <Stack gap="md">
        <Text className={`told ${classes.quote}`}>{summary}</Text>
        {nearest !== null && <Compared nearest={nearest} summary={summary} />}
      </Stack>
    </Panel>
  );
}

function Compared({ nearest, summary }: { nearest: Nearest; summary: string }) {
  const card = useOne<Card>('cards', `/v1/cards/${encodeURIComponent(nearest.card_id)}`);
  const may = useMay('GET /v1/skills');
  const skills = useOne<Page<SkillEntry>>('skills', '/v1/skills', { limit: 500 }, { enabled: may });
  const entry = skills.data?.items.find(({ card_id }) => card_id === nearest.card_id);
  if (card.data === undefined) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        Against the most alike skill{' '}
        {entry !== undefined && (
          <AnchorLink to="/skills/$name" params={{ name: entry.name }}>
            {entry.name}
          </AnchorLink>
        )}{' '}
        version {nearest.version}, {Math.round(nearest.similarity * 100)} % alike:
      </Text>
      <DiffText before={card.data.summary} after={summary} />
    </div>
  );
}

function nearestOf(change: ProposalChange): Nearest | null {
  if (!('nearest' in change)) return null;
  return (change.nearest as Nearest | null) ?? null;
}

export function FactWorld({ summary }: { summary: string }) {
  return (
    <Panel title="What would be remembered">
      <Text className={`told ${classes.quote}`}>{summary}</Text>
    </Panel>
  );
}
