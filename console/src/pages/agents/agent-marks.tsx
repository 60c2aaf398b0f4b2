import { Badge, Group } from '@mantine/core';
import { IconBrain, IconHandStop, IconLock, IconMoonOff } from '@tabler/icons-react';
import type { Agent } from '../../../../src/contracts/principal';

/** How an agent remembers, and what it is kept from; the usual is not marked unless asked for. */
export function AgentMarks({ agent, all = false }: { agent: Agent; all?: boolean }) {
  const { memory_mode: mode } = agent;
  const Icon = mode === 'off' ? IconMoonOff : IconBrain;
  return (
    <Group gap={4}>
      {(all || mode !== 'automatic') && (
        <Badge
          size="sm"
          variant="light"
          tt="none"
          color={mode === 'automatic' ? 'lichen' : 'orange'}
          leftSection={<Icon size={12} aria-hidden />}
        >
          memory {mode}
        </Badge>
      )}
      {agent.writes_stopped && (
        <Badge
          size="sm"
          variant="light"
          tt="none"
          color="red"
          leftSection={<IconHandStop size={12} aria-hidden />}
        >
          stopped
        </Badge>
      )}
      {agent.restricted && (
        <Badge
          size="sm"
          variant="light"
          tt="none"
          color="gray"
          leftSection={<IconLock size={12} aria-hidden />}
        >
          restricted
        </Badge>
      )}
    </Group>
  );
}
