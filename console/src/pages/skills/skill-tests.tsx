import { Badge, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import type { ReplayReason, Skill, SkillTest } from '../../../../src/contracts/skill';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { When } from '../../components/when';

const WHY: Record<ReplayReason, string> = {
  steps_follow_the_trace: 'its steps follow what worked',
  step_missing: 'a step of what worked is missing',
  steps_out_of_order: 'its steps stand in another order than what worked',
  failure_answered: 'it answers the failure',
  failure_not_answered: 'it has no answer to the failure',
  operation_not_in_steps: 'the operation that failed is in none of its steps',
  words_as_asked: 'it has the words that were asked for',
  word_missing: 'a word is missing',
  word_not_wanted: 'it has a word that it must not have',
  nothing_to_check: 'there is nothing to check',
};

/** Each test of a version: what it holds the skill to, and whether it does. */
export function SkillTests({ skill }: { skill: Skill }) {
  const { test_result: result } = skill;
  if (skill.tests.length === 0) {
    return <Empty title="No tests">Without tests a version is put in use by a person alone.</Empty>;
  }
  const told = new Map(result?.results.map((one) => [one.id, one]));
  return (
    <Stack>
      {result === null ? (
        <Text size="sm" c="dimmed">
          This version was not tested yet.
        </Text>
      ) : (
        <Text size="sm">
          {result.passed} passed, {result.failed} failed, <When at={result.at} />
          {result.regressions.length > 0 &&
            `; ${result.regressions.length} that the version in use passes`}
        </Text>
      )}
      {skill.tests.map((test) => {
        const said = told.get(test.id);
        return (
          <Paper key={test.id} withBorder p="md">
            <Group justify="space-between" align="flex-start" gap="xs">
              <div>
                <Text size="sm" fw={600}>
                  {test.kind === 'origin'
                    ? 'The work that it was learned from'
                    : test.kind === 'failure'
                      ? 'A later failure of one of its steps'
                      : 'Written down by somebody'}
                </Text>
                {said !== undefined && (
                  <Text size="xs" c="dimmed">
                    {WHY[said.why]}
                    {said.at === null ? '' : `: ${said.at}`}
                  </Text>
                )}
              </div>
              <Passed passed={test.passed} />
            </Group>
            <Case test={test} />
            {test.source_card !== null && (
              <AnchorLink to="/cards/$id" params={{ id: test.source_card }} size="xs">
                The card that it came from
              </AnchorLink>
            )}
          </Paper>
        );
      })}
    </Stack>
  );
}

function Passed({ passed }: { passed: boolean | null }) {
  if (passed === null) {
    return (
      <Badge
        variant="light"
        color="gray"
        tt="none"
        leftSection={<IconMinus size={12} aria-hidden />}
      >
        not run
      </Badge>
    );
  }
  const Icon = passed ? IconCheck : IconX;
  return (
    <Badge
      variant="light"
      color={passed ? 'green' : 'red'}
      tt="none"
      leftSection={<Icon size={12} aria-hidden />}
    >
      {passed ? 'passed' : 'failed'}
    </Badge>
  );
}

function Case({ test }: { test: SkillTest }) {
  if (test.case === null) {
    return (
      <Text size="xs" c="dimmed">
        You may not see the work that it came from.
      </Text>
    );
  }
  if (test.case.kind === 'manual') {
    const { must_mention: words, must_not_mention: unwanted } = test.case;
    return (
      <Text size="sm" className="told">
        {words.length > 0 && `Mentions ${words.join(', ')}. `}
        {unwanted.length > 0 && `Does not mention ${unwanted.join(', ')}.`}
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table fz="xs" aria-label="What was done">
        <Table.Tbody>
          {test.case.trace.map((step, at) => (
            <Table.Tr key={`${at}`}>
              <Table.Td w={28} className="numbers">
                {at + 1}
              </Table.Td>
              <Table.Td ff="monospace">
                {step.service}.{step.operation}
              </Table.Td>
              <Table.Td>{step.outcome}</Table.Td>
              <Table.Td>{step.error_signature ?? step.what_changed ?? ''}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
