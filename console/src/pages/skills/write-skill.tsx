import { Button, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { SCOPE_TYPES } from '../../../../src/contracts/names';
import type { Skill } from '../../../../src/contracts/skill';
import { send } from '../../api/http';
import { useSession } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { scopeQuery, scopeText } from './scope';

interface Values {
  name: string;
  description: string;
  body: string;
  mentions: string;
  scopeType: string;
  scopeId: string;
}

const EXAMPLE = `## Steps
1. Ask the provider how many are left today.
2. Send at most that many in one batch.

## When it fails
- Too many requests: wait for the time that the answer names.`;

/** A skill written down by a person, or the next version of one (`of`). */
export function WriteSkill({ of }: { of?: Skill }) {
  const [open, { open: show, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const { workspace } = useSession();
  const form = useForm<Values>({
    initialValues: {
      name: of?.name ?? '',
      description: of?.description ?? '',
      body: of?.body ?? '',
      mentions: '',
      scopeType: of?.scope.type ?? 'workspace',
      scopeId: of?.scope.id ?? '',
    },
    validate: {
      description: (text) => (text.trim() === '' ? 'Say what it is for' : null),
      body: (text) => (text.trim() === '' ? 'Say how it is done' : null),
      scopeId: (id, { scopeType }) =>
        scopeType !== 'workspace' && id.trim() === '' ? 'Name it' : null,
    },
  });
  const write = useDoing<Values, { data: Skill }>({
    call: (values) => {
      const words = values.mentions
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean);
      const tests =
        words.length === 0 ? [] : [{ kind: 'manual', must_mention: words, must_not_mention: [] }];
      const written = { description: values.description, body: values.body, tests };
      if (of !== undefined) {
        return send(`/v1/skills/${encodeURIComponent(of.name)}/versions`, {
          method: 'POST',
          query: scopeQuery(scopeText(of.scope)),
          body: written,
        });
      }
      const id = values.scopeType === 'workspace' ? workspace.id : values.scopeId.trim();
      const name = values.name.trim();
      return send('/v1/skills', {
        method: 'POST',
        body: {
          ...written,
          ...(name === '' ? {} : { name }),
          scope: { type: values.scopeType, id },
        },
      });
    },
    done: ({ data }) =>
      data.version_status === 'current'
        ? 'Written, and in use: its tests pass'
        : 'Written as a draft: run its tests to put it in use',
    touches: ['skills', 'cards'],
    then: ({ data }) => {
      close();
      void navigate({
        to: '/skills/$name',
        params: { name: data.name },
        search: {
          version: String(data.version),
          scope: scopeText(data.scope),
        },
      });
    },
  });
  return (
    <>
      <Button
        {...(of === undefined ? {} : { size: 'xs', variant: 'default' })}
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={show}
      >
        {of === undefined ? 'Write a skill' : 'New version'}
      </Button>
      <Modal
        opened={open}
        onClose={close}
        size="lg"
        title={of === undefined ? 'Write a skill' : `Next version of ${of.name}`}
      >
        <form onSubmit={form.onSubmit((values) => write.mutate(values))}>
          <Stack gap="sm">
            {of === undefined && (
              <Group grow align="flex-start">
                <TextInput
                  label="Name"
                  description="Empty: made from the description"
                  placeholder="send-a-batch"
                  {...form.getInputProps('name')}
                />
                <Select
                  label="Whose"
                  description="Who has it at hand"
                  data={[...SCOPE_TYPES]}
                  allowDeselect={false}
                  {...form.getInputProps('scopeType')}
                />
                <TextInput
                  label="Which"
                  description="Of an agent or team"
                  disabled={form.values.scopeType === 'workspace'}
                  {...form.getInputProps('scopeId')}
                />
              </Group>
            )}
            <TextInput label="What it is for" required {...form.getInputProps('description')} />
            <Textarea
              label="How it is done"
              description="Markdown"
              placeholder={EXAMPLE}
              autosize
              minRows={8}
              maxRows={20}
              ff="monospace"
              required
              {...form.getInputProps('body')}
            />
            <TextInput
              label="A test: words that it has to mention"
              description="Separated by commas; may be empty"
              {...form.getInputProps('mentions')}
            />
            <Button type="submit" loading={write.isPending}>
              Write it down
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
