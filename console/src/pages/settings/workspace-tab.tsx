import { Button, SimpleGrid, Stack } from '@mantine/core';
import type { Workspace } from '../../../../src/contracts/principal';
import { useOne } from '../../api/paging';
import { useMay, useSession } from '../../app/session-context';
import { useSignOut } from '../../app/signed-in';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { WorkspaceForm } from './workspace-form';
import { Workspaces } from './workspaces';

/** What this workspace is, and whether it remembers. */
export function WorkspaceTab() {
  const workspace = useOne<Workspace>('workspace', '/v1/workspace');
  const mayAll = useMay('GET /v1/workspaces');
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="This workspace">
          <Loaded query={workspace}>
            {(data) => <WorkspaceForm key={`${data.name} ${data.memory_mode}`} workspace={data} />}
          </Loaded>
        </Panel>
        <You since={workspace.data?.created_at} />
      </SimpleGrid>
      {mayAll && <Workspaces />}
    </Stack>
  );
}

function You({ since }: { since: string | undefined }) {
  const { principal, workspace, expires_at, version, timezone } = useSession();
  const leave = useSignOut();
  return (
    <Panel
      title="You, here"
      actions={
        <Button size="xs" variant="default" onClick={leave}>
          Sign out
        </Button>
      }
    >
      <Facts
        rows={[
          ['Signed in as', `${principal.name ?? principal.id} (${principal.id})`],
          [
            'Role',
            `${principal.role ?? principal.kind}${principal.installation ? ', owner of the installation' : ''}`,
          ],
          ['Session ends', expires_at === null ? null : <When key="end" at={expires_at} />],
          ['Workspace', <IdText key="id" id={workspace.id} />],
          ['Made', since === undefined ? null : <When key="made" at={since} />],
          ['Its zone', timezone],
          ['Cairn', version],
        ]}
      />
    </Panel>
  );
}
