import { Alert, Button, Group, List, Modal, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import type { PolicyPreview } from '../../../../../src/contracts/policy-preview';
import { Effects } from './effects';
import { fieldAt } from './fields';
import { PARTS } from './parts';
import { RulesDiff } from './rules-diff';
import { inWords } from './words';

/** What would change, before it does; saving is offered here and nowhere else. */
export function PreviewModal({
  preview,
  saving,
  save,
  close,
}: {
  preview: PolicyPreview;
  saving: boolean;
  save(): void;
  close(): void;
}) {
  const { valid, problems, changed } = preview;
  return (
    <Modal opened onClose={close} title="What would change" size="xl">
      <Stack>
        {!valid && <Problems problems={problems} />}
        {valid && changed.length === 0 && (
          <Text>Nothing: the policy says all of this already.</Text>
        )}
        {changed.length > 0 && (
          <>
            <Table verticalSpacing="xs" aria-label="Changed fields">
              <Table.Tbody>
                {changed.map(({ path, from, to }) => (
                  <Table.Tr key={path}>
                    <Table.Th fw={550} style={{ verticalAlign: 'top', width: '36%' }}>
                      {nameOf(path)}
                      <Text
                        size="xs"
                        c="dimmed"
                        ff="monospace"
                        style={{ overflowWrap: 'anywhere' }}
                      >
                        {path}
                      </Text>
                    </Table.Th>
                    <Table.Td style={{ verticalAlign: 'top' }}>
                      <Change path={path} from={from} to={to} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Title order={3} size="h6">
              With what is stored, it would have meant
            </Title>
            <Effects preview={preview} />
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Go on editing
          </Button>
          {valid && changed.length > 0 && (
            <Button loading={saving} onClick={save}>
              Save {changed.length === 1 ? 'the change' : `${changed.length} changes`}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function Problems({ problems }: { problems: PolicyPreview['problems'] }) {
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title="It cannot be saved like this"
    >
      <List size="sm">
        {problems.map(({ pointer, detail }, at) => (
          <List.Item key={`${at} ${pointer}`}>
            <b>{nameOf(pointer.replace(/^\//, '').replaceAll('/', '.')) || 'The policy'}</b>:{' '}
            {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Change({ path, from, to }: { path: string; from: unknown; to: unknown }) {
  const known = fieldAt(path);
  // What is named by oneself lies below its field, and is a number.
  const say = (value: unknown) =>
    known === null || known.path !== path
      ? String(value ?? 'nothing')
      : inWords(known.field, value);
  if (known?.field.as === 'rules') {
    return <RulesDiff kind={known.field.rule} before={from} after={to} />;
  }
  return (
    <Text size="sm" className="told">
      {say(from)}{' '}
      <IconArrowRight size={13} role="img" aria-label="becomes" style={{ verticalAlign: '-2px' }} />{' '}
      <b>{say(to)}</b>
    </Text>
  );
}

/** `Strikes: Failures` */
function nameOf(path: string): string {
  const known = fieldAt(path);
  if (known === null) return path;
  const part = PARTS.find(({ id }) => path.startsWith(`${id}.`))?.title;
  const below = path.slice(known.path.length + 1);
  return `${part}: ${known.field.label}${below === '' ? '' : ` (${below})`}`;
}
