import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RunChangeKind } from '../../../../src/contracts/passes';
import type { NotUndone, Run, RunChangeLine } from '../../../../src/contracts/run';
import { useRows } from '../../api/paging';
import { CardById } from '../../components/card-by-id';
import { Empty } from '../../components/empty';
import { Failed } from '../../components/failed';
import { AnchorLink } from '../../components/links';
import { ChangeDiff } from './change-diff';
import classes from './runs.module.css';

const DID: Record<RunChangeKind, [did: string, would: string]> = {
  created: ['Wrote', 'Would write'],
  retired: ['Retired', 'Would retire'],
  edited: ['Changed', 'Would change'],
  linked: ['Linked', 'Would link'],
  proposed: ['Proposed to a person', 'Would propose to a person'],
  rejected: ['Rejected', 'Would reject'],
  purged: ['Removed for good', 'Would remove for good'],
  skipped: ['Left as it was', 'Would leave as it is'],
};

const STAYED: Record<NotUndone, string> = {
  moved: 'stays: it has changed since',
  gone: 'stays: it is gone',
  key_taken: 'stays: another card has its key now',
  decided: 'stays: a person decided it',
  note_kept: 'stays: a note about it was changed since',
};

/** What a run did to each card, line by line; a dry run says what it would do. */
export function RunChanges({ run }: { run: Run }) {
  const rows = useRows<RunChangeLine>('runs', `/v1/runs/${encodeURIComponent(run.id)}/changes`);
  if (rows.error !== null) return <Failed error={rows.error} again={rows.again} />;
  if (!rows.loading && rows.items.length === 0) {
    return (
      <Empty title={run.dry_run ? 'It would change nothing' : 'It changed no card by itself'}>
        {run.status === 'running' ? 'Lines appear as its parts commit them.' : null}
      </Empty>
    );
  }
  return (
    <Stack gap="xs" aria-busy={rows.loading}>
      <Text size="xs" c="dimmed" role="status">
        {rows.items.length.toLocaleString()} of {rows.total.toLocaleString()} lines
      </Text>
      <ol className={classes.lines}>
        {rows.items.map((line) => (
          <ChangeLine key={`${line.run_id} ${line.n}`} line={line} dry={run.dry_run} />
        ))}
      </ol>
      {rows.more && (
        <Button variant="default" size="xs" onClick={rows.loadMore} loading={rows.loadingMore}>
          More
        </Button>
      )}
    </Stack>
  );
}

function ChangeLine({ line, dry }: { line: RunChangeLine; dry: boolean }) {
  const [open, setOpen] = useState(false);
  const [did, would] = DID[line.change];
  const hasDiff =
    !dry && line.card_id !== null && line.version_after !== null && line.change === 'edited';
  return (
    <li className={classes.line}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600}>
          {dry ? would : did}
          {line.reason !== null && (
            <Text span size="xs" c="dimmed" fw={400}>
              {' '}
              · {line.reason.replaceAll('_', ' ')}
            </Text>
          )}
          {line.undone_at !== null && (
            <Text span size="xs" c="dimmed" fw={400}>
              {' '}
              · taken back
            </Text>
          )}
          {line.not_undone !== null && (
            <Text span size="xs" c="dimmed" fw={400}>
              {' '}
              · {STAYED[line.not_undone]}
            </Text>
          )}
        </Text>
        {line.version_after !== null && (
          <Text size="xs" c="dimmed" className="numbers">
            {line.version_before === null
              ? 'new'
              : `${line.version_before} → ${line.version_after}`}
          </Text>
        )}
      </Group>
      {line.card_id !== null && <CardById id={line.card_id} lines={2} />}
      {line.related.length > 0 && (
        <Text size="xs" c="dimmed">
          with{' '}
          {line.related.slice(0, 5).map((id) => (
            <RelatedLink key={id} id={id} />
          ))}
          {line.related.length > 5 ? `and ${line.related.length - 5} more` : ''}
        </Text>
      )}
      {hasDiff && line.card_id !== null && line.version_after !== null && (
        <>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={open}
            onClick={() => setOpen((now) => !now)}
          >
            {open ? 'Hide the change' : 'Show the change'}
          </Button>
          {open && <ChangeDiff card={line.card_id} version={line.version_after} />}
        </>
      )}
    </li>
  );
}

function RelatedLink({ id }: { id: string }) {
  if (id.startsWith('prop_')) {
    return (
      <AnchorLink to="/inbox/$id" params={{ id }} size="xs">
        a proposal{' '}
      </AnchorLink>
    );
  }
  if (id.startsWith('card_')) {
    return (
      <AnchorLink to="/cards/$id" params={{ id }} size="xs">
        {id.slice(0, 13)}…{' '}
      </AnchorLink>
    );
  }
  return <span>{id} </span>;
}
