import { Button, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';
import { fromField } from '../../components/local-time';
import { type OfAction, pathOf, TOUCHES } from './wire';
import { windowInWords } from './words';

/** Says that an action was taken: when, and how long it is watched. */
export function TakeForm({ insight, action, opened, close }: OfAction) {
  const [at, setAt] = useState('');
  const [days, setDays] = useState<number | string>('');
  const take = useDoing({
    call: () => {
      const told = fromField(at);
      return send(pathOf(insight, action, 'taken'), {
        method: 'POST',
        body: {
          ...(told === null ? {} : { at: told }),
          ...(days === '' ? {} : { window: `P${days}D` }),
        },
      });
    },
    done: 'It is watched from now on',
    touches: TOUCHES,
    then: close,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take.mutate();
  };
  return (
    <Modal opened={opened} onClose={close} title="It was taken" centered>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" className="told">
            {action.text}
          </Text>
          <TextInput
            type="datetime-local"
            label="When"
            description="In your zone; empty: now"
            value={at}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
          <NumberInput
            label="Measured after so many days"
            description={`Empty: after ${windowInWords(insight.window)}`}
            min={1}
            max={366}
            allowDecimal={false}
            value={days}
            onChange={setDays}
          />
          <Button type="submit" loading={take.isPending}>
            Watch what comes of it
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
