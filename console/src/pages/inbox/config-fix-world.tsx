import { Code, Group, Stack, Table, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ConfigFixChange, StepFigures } from '../../../../src/contracts/proposal';
import { Panel } from '../../components/panel';
import classes from './inbox-page.module.css';

/** Which step of whose work, what to change in its configuration, and how an earlier try went. */
export function ConfigFixWorld({
  change,
  summary,
}: {
  change: Partial<ConfigFixChange>;
  summary: string | null;
}) {
  const { team, workflow, step, fix, before, after } = change;
  return (
    <Panel
      title="What would change"
      says="In words; the runtime that owns the configuration does it"
    >
      <Stack gap="sm">
        <Group gap={6}>
          <Code>{workflow}</Code>
          <IconArrowRight size={14} aria-hidden />
          <Code>{step}</Code>
          <Text size="sm" c="dimmed">
            of team {team}
          </Text>
        </Group>
        {fix !== undefined && (
          <Text fw={500} className={`told ${classes.quote}`}>
            {fix}
          </Text>
        )}
        {summary !== null && (
          <Text size="sm" c="dimmed" className="told">
            {fix === undefined ? summary : summary.replace(fix, '').trim()}
          </Text>
        )}
        {(before !== undefined || after !== undefined) && <Figures before={before} after={after} />}
      </Stack>
    </Panel>
  );
}

function Figures({
  before,
  after,
}: {
  before: StepFigures | undefined;
  after: StepFigures | undefined;
}) {
  const rows: [string, StepFigures | undefined][] = [
    ['Before the fix', before],
    ['Since the fix', after],
  ];
  return (
    <Table.ScrollContainer minWidth={260} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table w="auto" verticalSpacing={4} aria-label="How the step did">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>This step</Table.Th>
            <Table.Th ta="right">worked</Table.Th>
            <Table.Th ta="right">failed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, figures]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="right" className="numbers">
                {figures?.worked ?? '—'}
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {figures?.failed ?? '—'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
