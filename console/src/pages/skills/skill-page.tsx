import { Alert, Group, Select, Stack, Tabs } from '@mantine/core';
import { IconShieldExclamation } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { Skill, SkillVersionEntry } from '../../../../src/contracts/skill';
import { type Page, useOne } from '../../api/paging';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { When } from '../../components/when';
import { SkillBadge } from './marks';
import { scopeQuery } from './scope';
import { SkillActions } from './skill-actions';
import { SkillBody } from './skill-body';
import { SkillDiffView } from './skill-diff';
import { SkillOrigin } from './skill-origin';
import { SkillTests } from './skill-tests';

const route = getRouteApi('/skills/$name');

/** One skill: what it says, what it is held to, what changed between versions, and the way back. */
export function SkillPage() {
  const { name } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const path = `/v1/skills/${encodeURIComponent(name)}`;
  const { scope, tab = 'body' } = search;
  const query = useOne<Skill>('skills', path, { version: search.version, ...scopeQuery(scope) });
  const versions = useOne<Page<SkillVersionEntry>>('skills', `${path}/versions`, {
    ...scopeQuery(scope),
    limit: 100,
  });
  const set = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true });
  return (
    <Loaded page query={query} lines={8}>
      {(skill) => (
        <Stack>
          <PageHead
            title={
              <Group gap="xs">
                {skill.name}
                <SkillBadge status={skill.status} />
              </Group>
            }
            tab={`Skill ${skill.name}`}
            says={skill.description}
            actions={<SkillActions skill={skill} shown={(version) => set({ version })} />}
          />
          {skill.reason === 'instruction_like' && (
            <Alert color="orange" icon={<IconShieldExclamation size={18} />}>
              It reads like an instruction from outside; a person has to release it in the{' '}
              <AnchorLink to="/inbox">inbox</AnchorLink> before it is used.
            </Alert>
          )}
          {skill.replaced_by !== null && (
            <Alert color="gray">
              No longer advised: use{' '}
              <AnchorLink to="/skills/$name" params={{ name: skill.replaced_by }}>
                {skill.replaced_by}
              </AnchorLink>
              .
            </Alert>
          )}
          <Group align="flex-end">
            <Select
              label="Version"
              value={String(skill.version)}
              allowDeselect={false}
              data={(versions.data?.items ?? []).map(({ version, status }) => ({
                value: String(version),
                label: `${version} · ${status === 'current' ? 'in use' : status}`,
              }))}
              onChange={(version) => set({ version: version ?? undefined })}
              w={190}
            />
            <span>
              <SkillBadge status={skill.version_status} /> <When at={skill.version_created_at} />
            </span>
          </Group>
          <Tabs value={tab} onChange={(to) => set({ tab: to ?? undefined })} keepMounted={false}>
            <Tabs.List aria-label="Of this skill">
              <Tabs.Tab value="body">What it says</Tabs.Tab>
              <Tabs.Tab value="tests">Tests ({skill.tests.length})</Tabs.Tab>
              <Tabs.Tab value="diff">Differences</Tabs.Tab>
              <Tabs.Tab value="origin">Where it is from</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="body" pt="md">
              <SkillBody body={skill.body} />
            </Tabs.Panel>
            <Tabs.Panel value="tests" pt="md">
              <SkillTests skill={skill} />
            </Tabs.Panel>
            <Tabs.Panel value="diff" pt="md">
              <SkillDiffView
                skill={skill}
                versions={versions.data?.items ?? []}
                from={search.from}
                choose={(from) => set({ from })}
              />
            </Tabs.Panel>
            <Tabs.Panel value="origin" pt="md">
              <SkillOrigin skill={skill} />
            </Tabs.Panel>
          </Tabs>
        </Stack>
      )}
    </Loaded>
  );
}
