import { List, Select, Stack, Text } from '@mantine/core';
import type {
  Skill,
  SkillDiff,
  SkillSectionDiff,
  SkillVersionEntry,
} from '../../../../src/contracts/skill';
import { useOne } from '../../api/paging';
import { DiffText } from '../../components/diff-text';
import { Empty } from '../../components/empty';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { scopeQuery, scopeText } from './scope';

/** What differs between the shown version and another, part by part. */
export function SkillDiffView({
  skill,
  versions,
  from,
  choose,
}: {
  skill: Skill;
  versions: readonly SkillVersionEntry[];
  from: string | undefined;
  choose(from: string | undefined): void;
}) {
  const others = versions.filter(({ version }) => version !== skill.version);
  const before =
    from ??
    String(
      others.find(({ version }) => version < skill.version)?.version ?? others[0]?.version ?? '',
    );
  const query = useOne<SkillDiff>(
    'skills',
    `/v1/skills/${encodeURIComponent(skill.name)}/diff`,
    { from: before, to: skill.version, ...scopeQuery(scopeText(skill.scope)) },
    { enabled: before !== '' },
  );
  if (others.length === 0) return <Empty title="There is one version only" />;
  return (
    <Stack>
      <Select
        label="Against version"
        data={others.map(({ version }) => String(version))}
        value={before}
        onChange={(value) => choose(value ?? undefined)}
        allowDeselect={false}
        w={160}
      />
      <Loaded query={query}>
        {({ sections }) =>
          sections.length === 0 ? (
            <Empty title="Nothing differs" />
          ) : (
            <Stack>
              {sections.map((section) => (
                <Section key={section.section} diff={section} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Section({ diff }: { diff: SkillSectionDiff }) {
  const { section, before, after, added = [], removed = [], reordered } = diff;
  return (
    <Panel title={section.replaceAll('_', ' ')}>
      {(before !== undefined || after !== undefined) && (
        <DiffText before={before ?? ''} after={after ?? ''} />
      )}
      {(added.length > 0 || removed.length > 0) && (
        <List size="sm" listStyleType="none">
          {removed.map((text) => (
            <List.Item key={`- ${text}`}>
              <DiffText before={text} after="" />
            </List.Item>
          ))}
          {added.map((text) => (
            <List.Item key={`+ ${text}`}>
              <DiffText before="" after={text} />
            </List.Item>
          ))}
        </List>
      )}
      {reordered === true && (
        <Text size="sm" c="dimmed">
          The same, in another order.
        </Text>
      )}
    </Panel>
  );
}
