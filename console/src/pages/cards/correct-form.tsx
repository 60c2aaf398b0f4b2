import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Card } from '../../../../src/contracts/card';
import { send } from '../../api/http';
import { useSession } from '../../app/session-context';
import { DiffText } from '../../components/diff-text';
import { useDoing } from '../../components/doing';
import { CorrectFields } from './correct-fields';
import { changedIn, FIELD_NAMES, type Fields, fieldsOf, patchOf, saidOf } from './correction';
import { pathOf } from './wire';

/** Corrects on the version that was read, and shows what would change before it does. */
export function CorrectForm({ card, close }: { card: Card; close(): void }) {
  const isMember = useSession().principal.role === 'member';
  const [base, setBase] = useState(card);
  const [isReviewed, setReviewed] = useState(false);
  const before = fieldsOf(base);
  const form = useForm<Fields>({
    initialValues: before,
    validate: { summary: (text) => (text.trim() === '' ? 'A card says something' : null) },
  });
  const changed = changedIn(before, form.values);
  const save = useDoing<void, { data: { id: string; status?: string; reason?: string } }>({
    call: () =>
      send(pathOf(base.id), {
        method: 'PATCH',
        ifMatch: base.version,
        body: patchOf(before, form.values),
      }),
    done: ({ data }) =>
      data.reason === 'instruction_like'
        ? 'Corrected, and held back: it reads like an instruction now.'
        : 'Corrected. The version before stays in its history.',
    touches: ['cards'],
    then: close,
  });
  // What the viewer did not touch is the newer version's.
  const rebase = () => {
    const mine = Object.fromEntries(changed.map((name) => [name, form.values[name]]));
    form.setValues({ ...fieldsOf(card), ...mine });
    setBase(card);
    setReviewed(true);
  };

  return (
    <form onSubmit={form.onSubmit(() => (isReviewed ? save.mutate() : setReviewed(true)))}>
      <Stack gap="sm">
        {card.version !== base.version && (
          <Alert color="orange" title={`Version ${card.version} came meanwhile`} role="alert">
            <Stack gap="xs" align="flex-start">
              <Text size="sm">
                You began with version {base.version}. What you changed stays; the rest is taken
                from the newer one.
              </Text>
              <Button size="xs" variant="default" onClick={rebase}>
                Compare with version {card.version}
              </Button>
            </Stack>
          </Alert>
        )}
        {isReviewed ? (
          <Review before={before} after={form.values} />
        ) : (
          <CorrectFields form={form} isMember={isMember} />
        )}
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {changed.length === 0
              ? 'Nothing is changed yet'
              : `Changes ${changed.map((name) => FIELD_NAMES[name].toLowerCase()).join(', ')}`}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={isReviewed ? () => setReviewed(false) : close}>
              {isReviewed ? 'Back' : 'Cancel'}
            </Button>
            <Button type="submit" disabled={changed.length === 0} loading={save.isPending}>
              {isReviewed ? 'Save the correction' : 'Look at the change'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function Review({ before, after }: { before: Fields; after: Fields }) {
  const changed = changedIn(before, after);
  if (changed.length === 0) return <Text size="sm">It would stay as it is.</Text>;
  return (
    <Stack gap="sm">
      {changed.map((name) => (
        <div key={name}>
          <Text size="xs" fw={600} c="dimmed" mb={2}>
            {FIELD_NAMES[name]}
          </Text>
          {name === 'summary' ? (
            <DiffText before={before.summary} after={after.summary} />
          ) : (
            <Text size="sm" className="told">
              <del>{saidOf(name, before)}</del> → <ins>{saidOf(name, after)}</ins>
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
