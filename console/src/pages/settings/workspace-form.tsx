import { Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MEMORY_MODES, type MemoryMode } from '../../../../src/contracts/names';
import type { Workspace } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { confirm, useDoing } from '../../components/doing';

const MODES: Readonly<Record<MemoryMode, { label: string; says: string }>> = {
  automatic: { label: 'Automatic', says: 'What agents settle is kept by itself' },
  manual: { label: 'Manual', says: 'Only what is said to be kept is kept' },
  off: { label: 'Off', says: 'Nothing comes in, and no agent is shown anything' },
};

export function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const may = useMay('PUT /v1/workspace');
  const [name, setName] = useState(workspace.name);
  const [mode, setMode] = useState<MemoryMode>(workspace.memory_mode);
  const save = useDoing({
    call: () =>
      send('/v1/workspace', {
        method: 'PUT',
        body: { name: name.trim(), memory_mode: mode },
      }),
    done: 'Saved; it holds from the next request on',
    touches: ['workspace', 'session'],
  });
  const isSame = name.trim() === workspace.name && mode === workspace.memory_mode;
  const submit = () => {
    if (mode !== 'off' || workspace.memory_mode === 'off') return save.mutate();
    confirm({
      title: 'Switch the memory of the whole workspace off?',
      says: 'No event is taken in and no agent is shown anything, until it is switched on again. What is stored stays, and people still see it.',
      yes: 'Switch it off',
      danger: true,
      onYes: () => save.mutate(),
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="sm" align="flex-start">
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          readOnly={!may}
          required={may}
          w="100%"
          maw={380}
        />
        <Radio.Group
          label="Memory of the workspace"
          description="An agent may have less of its own, and never more"
          value={mode}
          onChange={(to) => setMode(to as MemoryMode)}
        >
          <Stack gap={8} mt={8}>
            {MEMORY_MODES.map((one) => (
              <Radio
                key={one}
                value={one}
                label={MODES[one].label}
                description={MODES[one].says}
                disabled={!may}
              />
            ))}
          </Stack>
        </Radio.Group>
        {may ? (
          <Button type="submit" disabled={isSame || name.trim() === ''} loading={save.isPending}>
            Save
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            Owners and operators change this.
          </Text>
        )}
      </Stack>
    </form>
  );
}
