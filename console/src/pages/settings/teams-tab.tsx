import { useState } from 'react';
import type { Team } from '../../../../src/contracts/principal';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import type { Column } from '../../components/rows-table';
import { When } from '../../components/when';
import { ChangeButton, DirectoryTab, NameAndId } from './directory-tab';
import { NamedForm } from './named-form';

/** Agents of one team share its cards. */
export function TeamsTab() {
  const rows = useRows<Team>('teams', '/v1/teams');
  const may = useMay('PUT /v1/teams/:id');
  const mayAgents = useMay('GET /v1/agents');
  const [edited, setEdited] = useState<Team | 'new' | null>(null);
  const columns: Column<Team>[] = [
    { name: 'Team', width: 'minmax(0, 1.4fr)', cell: (row) => <NameAndId {...row} /> },
    {
      name: 'Agents',
      width: '110px',
      cell: ({ id }) =>
        mayAgents && (
          <AnchorLink to="/agents" search={{ team: id }}>
            Its agents
          </AnchorLink>
        ),
    },
    { name: 'Made', width: '130px', wideOnly: true, cell: (row) => <When at={row.created_at} /> },
    {
      name: 'Action',
      width: '84px',
      cell: (team) => may && <ChangeButton of={team.id} onClick={() => setEdited(team)} />,
    },
  ];
  return (
    <DirectoryTab
      label="Teams"
      says="What one agent of a team learns, the others recall. An agent is put into a team on its own page."
      add="New team"
      onAdd={may ? () => setEdited('new') : undefined}
      rows={rows}
      columns={columns}
      empty={
        <Empty title="No team yet">
          A team is made here, or by itself with the first agent that names it.
        </Empty>
      }
    >
      {edited !== null && (
        <NamedForm
          what="team"
          path="/v1/teams"
          topic="teams"
          named={edited === 'new' ? null : edited}
          needsName
          close={() => setEdited(null)}
        />
      )}
    </DirectoryTab>
  );
}
