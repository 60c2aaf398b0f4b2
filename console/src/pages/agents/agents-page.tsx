import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../app/session-context';
import { PageHead } from '../../components/page-head';
import { AgentTree } from './agent-tree';
import { AgentsList } from './agents-list';
import { CompetenceList } from './competence-list';
import { Groups } from './groups';
import { Sources } from './sources';

const route = getRouteApi('/agents');

const TABS = [
  ['list', 'Agents', 'GET /v1/agents'],
  ['tree', 'Who spawned whom', 'GET /v1/agents'],
  ['competence', 'Competence', 'GET /v1/competence'],
  ['groups', 'Groups', 'GET /v1/agent-groups'],
  ['sources', 'Sources', 'GET /v1/sources'],
] as const;

/** The fleet: who spawned whom, what each is good at, and who is stopped. */
export function AgentsPage() {
  const { allowed } = useSession();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const tabs = TABS.filter(([, , needs]) => allowed.includes(needs));
  const at = tabs.find(([name]) => name === tab)?.[0] ?? 'list';
  return (
    <>
      <PageHead
        title="Agents"
        says="Who remembers, who is good at what, and whose writing a person has stopped."
      />
      <Tabs
        value={at}
        onChange={(to) => void navigate({ search: { tab: to ?? undefined } })}
        keepMounted={false}
      >
        <Tabs.List aria-label="The fleet" mb="md">
          {tabs.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="list">
          <AgentsList />
        </Tabs.Panel>
        <Tabs.Panel value="tree">
          <AgentTree />
        </Tabs.Panel>
        <Tabs.Panel value="competence">
          <CompetenceList />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <Groups />
        </Tabs.Panel>
        <Tabs.Panel value="sources">
          <Sources />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
