import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';
import { fromField, toField } from '../../components/local-time';
import { When } from '../../components/when';
import { type OfAction, pathOf, TOUCHES } from './wire';

/** Has an action measured at a later time than the one that stands. */
export function ExtendForm({ insight, action, opened, close }: OfAction) {
  const [until, setUntil] = useState('');
  const later = fromField(until);
  const extend = useDoing<string>({
    call: (to) => send(pathOf(insight, action, 'extend'), { method: 'POST', body: { until: to } }),
    done: 'It is measured later',
    touches: TOUCHES,
    then: close,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (later !== null) extend.mutate(later);
  };
  return (
    <Modal opened={opened} onClose={close} title="Measure later" centered>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            It is measured <When at={action.measure_at} />. It can be moved to a later time only.
          </Text>
          <TextInput
            type="datetime-local"
            label="Measure at"
            description="In your zone"
            min={toField(action.measure_at)}
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
            required
            data-autofocus
          />
          <Button type="submit" loading={extend.isPending} disabled={later === null}>
            Measure then
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
