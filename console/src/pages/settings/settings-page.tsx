import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../app/session-context';
import { PageHead } from '../../components/page-head';
import { KeysTab } from './keys-tab';
import { ModelsTab } from './models-tab';
import { PeopleTab } from './people-tab';
import { PolicyTab } from './policy/policy-tab';
import { ProjectsTab } from './projects-tab';
import { SubjectsTab } from './subjects-tab';
import { TABS, type TabName } from './tabs';
import { TeamsTab } from './teams-tab';
import { WebhooksTab } from './webhooks-tab';
import { WorkspaceTab } from './workspace-tab';

const route = getRouteApi('/settings');

const PANELS: Readonly<Record<TabName, () => React.ReactNode>> = {
  workspace: WorkspaceTab,
  policy: PolicyTab,
  keys: KeysTab,
  people: PeopleTab,
  teams: TeamsTab,
  subjects: SubjectsTab,
  projects: ProjectsTab,
  webhooks: WebhooksTab,
  models: ModelsTab,
};

/** By which rules memory is kept, and who may do what. */
export function SettingsPage() {
  const { allowed } = useSession();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const names = (Object.keys(TABS) as TabName[]).filter((name) =>
    allowed.includes(TABS[name].needs),
  );
  const at = names.find((name) => name === tab) ?? names[0] ?? 'workspace';
  const Shown = PANELS[at];
  return (
    <>
      <PageHead
        title="Settings"
        says="The rules of this workspace, who may come in, and whom Cairn tells."
      />
      <Tabs
        value={at}
        onChange={(to) => void navigate({ search: { tab: to ?? undefined } })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Settings" mb="md">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TABS[name].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {names.map((name) => (
          <Tabs.Panel key={name} value={name}>
            {name === at && <Shown />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
