import { Button, Group, Modal, NumberInput, Radio, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { OUTCOME_RESULTS, type OutcomeResult } from '../../../../src/contracts/insight';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';
import { type OfAction, TOUCHES } from './wire';
import { RESULTS } from './words';

/** Says what an action came to, where no number tells. */
export function OutcomeForm({ insight, action, opened, close }: OfAction) {
  const [result, setResult] = useState<OutcomeResult | null>(null);
  const [percent, setPercent] = useState<number | string>('');
  const [note, setNote] = useState('');
  const tell = useDoing<OutcomeResult>({
    call: (told) =>
      send(`/v1/insights/${encodeURIComponent(insight.id)}/outcome`, {
        method: 'POST',
        body: {
          action_id: action.id,
          result: told,
          ...(percent === '' ? {} : { size: Number(percent) / 100 }),
          ...(note.trim() === '' ? {} : { note: note.trim() }),
        },
      }),
    done: 'Noted; the next recommendation knows of it',
    touches: TOUCHES,
    then: close,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (result !== null) tell.mutate(result);
  };
  return (
    <Modal opened={opened} onClose={close} title="What came of it" centered>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" className="told">
            {action.text}
          </Text>
          <Radio.Group
            label="It"
            value={result ?? ''}
            onChange={(value) => setResult(OUTCOME_RESULTS.find((one) => one === value) ?? null)}
            withAsterisk
          >
            <Group mt={4}>
              {OUTCOME_RESULTS.map((value) => (
                <Radio key={value} value={value} label={RESULTS[value]} />
              ))}
            </Group>
          </Radio.Group>
          <NumberInput
            label="Change in percent"
            description="−18 for 18 % less; empty where nobody knows"
            value={percent}
            onChange={setPercent}
            suffix=" %"
          />
          <Textarea
            label="Note"
            description="Optional; redacted, and kept with the outcome"
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={2_000}
            autosize
            minRows={2}
            maxRows={8}
          />
          <Text size="xs" c="dimmed">
            One outcome an action: it cannot be told a second time.
          </Text>
          <Button type="submit" loading={tell.isPending} disabled={result === null}>
            Keep the outcome
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
