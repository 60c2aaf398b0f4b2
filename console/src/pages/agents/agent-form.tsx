import { Button, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MEMORY_MODES } from '../../../../src/contracts/names';
import type { Agent } from '../../../../src/contracts/principal';

export interface AgentValues {
  id: string;
  team: string;
  parent_agent: string;
  agent_type: string;
  memory_mode: Agent['memory_mode'];
  restricted: boolean;
  succeeds: string;
}

const MODE_SAYS: Record<Agent['memory_mode'], string> = {
  automatic: 'What it settles is kept by itself',
  manual: 'It keeps what it says to keep',
  off: 'It keeps nothing and recalls nothing',
};

/** Names that are empty are none: `null` to the API. */
export function bodyOf(values: AgentValues): Record<string, unknown> {
  const named = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    team: named(values.team),
    parent_agent: named(values.parent_agent),
    agent_type: named(values.agent_type),
    memory_mode: values.memory_mode,
    restricted: values.restricted,
    succeeds: named(values.succeeds),
  };
}

export function AgentForm({
  agent,
  busy,
  save,
}: {
  agent: Agent | null;
  busy: boolean;
  save(values: AgentValues): void;
}) {
  const form = useForm<AgentValues>({
    initialValues: {
      id: agent?.id ?? '',
      team: agent?.team ?? '',
      parent_agent: agent?.parent_agent ?? '',
      agent_type: agent?.agent_type ?? '',
      memory_mode: agent?.memory_mode ?? 'automatic',
      restricted: agent?.restricted ?? false,
      succeeds: agent?.succeeds ?? '',
    },
    validate: { id: (id) => (id.trim() === '' ? 'It needs an id' : null) },
  });
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack gap="sm">
        {agent === null && <TextInput label="Id" required {...form.getInputProps('id')} />}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="Team" {...form.getInputProps('team')} />
          <TextInput label="Spawned by" {...form.getInputProps('parent_agent')} />
          <TextInput label="Type" {...form.getInputProps('agent_type')} />
          <TextInput
            label="Succeeds"
            description="Whose own cards it reads"
            {...form.getInputProps('succeeds')}
          />
        </SimpleGrid>
        <Select
          label="Memory"
          description={MODE_SAYS[form.values.memory_mode]}
          data={[...MEMORY_MODES]}
          allowDeselect={false}
          {...form.getInputProps('memory_mode')}
        />
        <Switch
          label="Restricted: reads only; what it posts waits for its parent or a person"
          {...form.getInputProps('restricted', { type: 'checkbox' })}
        />
        <Button type="submit" loading={busy} disabled={!form.isDirty()}>
          {agent === null ? 'Register' : 'Save'}
        </Button>
      </Stack>
    </form>
  );
}
