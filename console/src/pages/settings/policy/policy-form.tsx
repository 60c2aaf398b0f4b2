import { Stack, Text, Title } from '@mantine/core';
import { POLICY_DEFAULTS } from '../../../../../src/contracts/policy-defaults';
import { Empty } from '../../../components/empty';
import { FieldRow } from './field-row';
import { groupsOf, matcher, PARTS } from './parts';
import { type Edits, type PolicyAnswer, type PolicyPath, readAt } from './paths';

/** The fields of one part, or of all that match what is looked for. */
export function PolicyForm({
  policy,
  edits,
  part,
  find,
  mayChange,
  change,
  takeBack,
}: {
  policy: PolicyAnswer;
  edits: Edits;
  part: string;
  find: string;
  mayChange: boolean;
  change(path: PolicyPath, value: unknown): void;
  takeBack(path: PolicyPath): void;
}) {
  const matches = matcher(find);
  const shown = PARTS.filter(({ id }) => find !== '' || id === part)
    .map((one) => ({ ...one, groups: groupsOf(one.id, matches) }))
    .filter(({ groups }) => groups.length > 0);
  if (shown.length === 0) {
    return <Empty title="No such field">Nothing in the policy is called “{find}”.</Empty>;
  }
  return (
    <Stack gap="lg">
      {shown.map(({ id, title, says, groups }) => (
        <section key={id} aria-label={title}>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {says}
          </Text>
          {groups.map((group) => (
            <div key={group.id}>
              {group.title !== null && (
                <Title order={3} size="h6" mt="lg">
                  {group.title}
                </Title>
              )}
              {group.paths.map((path) => (
                <FieldRow
                  key={path}
                  path={path}
                  stored={readAt(policy, path)}
                  fallback={readAt(POLICY_DEFAULTS, path)}
                  value={Object.hasOwn(edits, path) ? edits[path] : readAt(policy, path)}
                  mayChange={mayChange}
                  change={(value) => change(path, value)}
                  takeBack={() => takeBack(path)}
                />
              ))}
            </div>
          ))}
        </section>
      ))}
    </Stack>
  );
}
