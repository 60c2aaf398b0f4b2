import { Button, Group, JsonInput, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { saveFile } from '../../../components/save-file';
import { isMembers } from './paths';

/** The whole document as text: to be read, kept, pasted, and changed where one knows the fields. */
export function PolicyJson({
  document,
  version,
  mayChange,
  mayLook,
  looking,
  look,
}: {
  /** With what the form changed. */
  document: unknown;
  version: number;
  mayChange: boolean;
  mayLook: boolean;
  looking: boolean;
  look(patch: unknown): void;
}) {
  const whole = JSON.stringify(document, null, 2);
  const [text, setText] = useState(whole);
  const parsed = parse(text);
  return (
    <Stack gap="sm">
      <JsonInput
        label="The policy as JSON"
        description="Any part of it may stand here: what is left out stays as it is, lists are replaced whole."
        value={text}
        onChange={setText}
        readOnly={!mayChange}
        error={parsed === null ? 'This is no JSON object' : undefined}
        spellCheck={false}
        autosize
        minRows={12}
        maxRows={32}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => saveFile(`policy-${version}.json`, 'application/json', text)}
          >
            Save as a file
          </Button>
          {text !== whole && (
            <Button size="xs" variant="subtle" color="gray" onClick={() => setText(whole)}>
              Start again
            </Button>
          )}
        </Group>
        {mayLook && (
          <Button
            loading={looking}
            disabled={parsed === null}
            onClick={() => {
              if (parsed !== null) look(parsed);
            }}
          >
            See what would change
          </Button>
        )}
      </Group>
      {!mayChange && (
        <Text size="sm" c="dimmed">
          Owners and operators change it.
        </Text>
      )}
    </Stack>
  );
}

/** Without its version, which is sent as the one that was looked at. */
function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isMembers(value)) return null;
    const { version: _version, ...rest } = value;
    return rest;
  } catch {
    return null;
  }
}
