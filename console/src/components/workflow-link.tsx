import { Anchor, Group } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useSession } from '../app/session-context';
import { IdText } from './id-text';
import { AnchorLink } from './links';

/** A lifecycle: its timeline here, and its history in Temporal's own UI where that is known. */
export function WorkflowLink({ id, runId }: { id: string; runId?: string | null }) {
  const { temporal } = useSession();
  const search =
    runId === null || runId === undefined
      ? { workflow_id: id }
      : { workflow_id: id, run_id: runId };
  const history =
    temporal?.ui == null
      ? null
      : `${temporal.ui.replace(/\/$/, '')}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows/${encodeURIComponent(id)}${runId ? `/${encodeURIComponent(runId)}/history` : ''}`;
  return (
    <Group gap={6} wrap="wrap">
      <AnchorLink to="/timeline" search={search}>
        Timeline
      </AnchorLink>
      {history !== null && (
        <Anchor href={history} target="_blank" rel="noreferrer" size="sm">
          In Temporal <IconExternalLink size={12} aria-label="(opens another tab)" />
        </Anchor>
      )}
      <IdText id={id} />
    </Group>
  );
}
