import { Alert, Anchor, Badge, Group, Select, Stack, Text, Timeline } from '@mantine/core';
import {
  IconAlarm,
  IconBinaryTree,
  IconBolt,
  IconCheck,
  IconClock,
  IconExternalLink,
  IconFlag,
  IconGitCommit,
  IconMail,
  IconPlayerSkipForward,
  IconX,
} from '@tabler/icons-react';
import type { StepKind, TimelineStep, Timeline as Told } from '../../../../src/contracts/timeline';
import { useOne } from '../../api/paging';
import { Loaded } from '../../components/loaded';
import { exact, lasted, When } from '../../components/when';

const ICONS: Record<StepKind, typeof IconBolt> = {
  started: IconFlag,
  activity: IconBolt,
  local_activity: IconBolt,
  timer: IconAlarm,
  signal: IconMail,
  update: IconMail,
  child: IconBinaryTree,
  continued: IconPlayerSkipForward,
  patched: IconGitCommit,
  ended: IconCheck,
};
const COLORS = {
  done: 'lichen',
  waiting: 'blue',
  failed: 'red',
  timed_out: 'red',
  cancelled: 'gray',
} as const;

/** The history of a lifecycle as one reads it, from Temporal itself; ids and times, no content. */
export function Steps({
  workflowId,
  runId,
  choose,
}: {
  workflowId: string;
  runId: string | null;
  /** Of a lifecycle with several runs: shows another. */
  choose?: (runId: string) => void;
}) {
  const query = useOne<Told>(
    'timeline',
    '/v1/timeline',
    { workflow_id: workflowId, run_id: runId },
    { refetchInterval: 15_000 },
  );
  return (
    <Loaded query={query} lines={6}>
      {(told) => (
        <Stack>
          <Group justify="space-between" align="flex-end">
            <Group gap="xs">
              <Badge tt="none" variant="light" color={told.status === 'running' ? 'blue' : 'gray'}>
                {told.status.replace('_', ' ')}
              </Badge>
              <Text size="sm" c="dimmed">
                {told.events} events, began <When at={told.started_at} />
                {told.closed_at !== null &&
                  `, took ${lasted(Date.parse(told.closed_at) - Date.parse(told.started_at))}`}
              </Text>
            </Group>
            <Group gap="sm">
              {told.runs.length > 1 && choose !== undefined && (
                <Select
                  label="Run"
                  size="xs"
                  w={260}
                  allowDeselect={false}
                  value={told.run_id}
                  data={told.runs.map((run) => ({
                    value: run.run_id,
                    label: `${exact(run.started_at)} · ${run.status}`,
                  }))}
                  onChange={(to) => to !== null && choose(to)}
                />
              )}
              {told.ui !== null && (
                <Anchor href={told.ui} target="_blank" rel="noreferrer" size="sm">
                  History in Temporal{' '}
                  <IconExternalLink size={13} aria-label="(opens another tab)" />
                </Anchor>
              )}
            </Group>
          </Group>
          {told.truncated && (
            <Alert color="gray">
              The history is longer than what is read here; these are its first steps.
            </Alert>
          )}
          <Timeline active={told.steps.length} bulletSize={24} lineWidth={2}>
            {told.steps.map((step, at) => (
              <Timeline.Item key={`${step.at} ${at}`} {...itemOf(step)}>
                <StepWords step={step} />
              </Timeline.Item>
            ))}
          </Timeline>
        </Stack>
      )}
    </Loaded>
  );
}

function itemOf(step: TimelineStep) {
  const failed = step.status === 'failed' || step.status === 'timed_out';
  const Icon = failed ? IconX : step.status === 'waiting' ? IconClock : ICONS[step.kind];
  return {
    bullet: <Icon size={13} aria-hidden />,
    color: COLORS[step.status],
    lineVariant: step.status === 'waiting' ? ('dashed' as const) : ('solid' as const),
    title: step.name,
  };
}

function StepWords({ step }: { step: TimelineStep }) {
  const ms = step.ended_at === null ? null : Date.parse(step.ended_at) - Date.parse(step.at);
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {step.kind.replace('_', ' ')} · <When at={step.at} />
        {ms !== null && ms > 0 && ` · ${lasted(ms)}`}
        {step.status !== 'done' && ` · ${step.status.replace('_', ' ')}`}
        {step.attempts > 1 && ` · tried ${step.attempts} times`}
      </Text>
      {step.failure !== null && (
        <Text size="sm" c="red">
          {step.failure.message}{' '}
          <Text span size="xs" ff="monospace">
            {step.failure.code}
          </Text>
        </Text>
      )}
      {step.detail !== null && (
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {step.detail}
        </Text>
      )}
    </Stack>
  );
}
