import {
  Button,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';
import { fromField, toField } from '../../components/local-time';

const GRACES = [
  { value: 'PT0S', label: 'at once' },
  { value: 'PT1H', label: 'after an hour' },
  { value: 'P1D', label: 'after a day' },
  { value: 'P7D', label: 'after a week' },
  { value: 'P30D', label: 'after 30 days' },
];

/** Puts a new key in the place of one; the old one may stay good until the new one is everywhere. */
export function RotateKey({
  old,
  made,
  close,
}: {
  old: ApiKey;
  made(key: string, of: string): void;
  close(): void;
}) {
  const [grace, setGrace] = useState('PT1H');
  const [end, setEnd] = useState(toField(old.expires_at));
  const [rate, setRate] = useState<number | string>(old.requests_per_minute ?? '');
  const isSameEnd = end === toField(old.expires_at);
  const isSameRate = rate === (old.requests_per_minute ?? '');
  const rotate = useDoing<void, { data: ApiKey & { key?: string } }>({
    call: () =>
      send(`/v1/keys/${encodeURIComponent(old.id)}/rotate`, {
        method: 'POST',
        body: {
          grace,
          ...(isSameEnd ? {} : { expires_at: fromField(end) }),
          ...(isSameRate ? {} : { requests_per_minute: rate === '' ? null : Number(rate) }),
        },
      }),
    touches: ['keys'],
    then: ({ data }) => made(data.key ?? '', data.principal.id),
  });
  return (
    <Modal opened onClose={close} title={`Rotate the key of ${old.principal.id}`} centered>
      <Stack gap="sm">
        <Text size="sm">
          A new key for the same {old.principal.kind}
          {old.name === null ? '' : `, under the name “${old.name}”`}.
        </Text>
        <Select
          label="The old key ends"
          data={GRACES}
          value={grace}
          allowDeselect={false}
          onChange={(to) => setGrace(to ?? 'PT0S')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="The new one ends"
            description="Empty: it has no end"
            type="datetime-local"
            value={end}
            onChange={(event) => setEnd(event.currentTarget.value)}
          />
          <NumberInput
            label="Requests a minute"
            description="Empty: what the policy says"
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={rate}
            onChange={setRate}
          />
        </SimpleGrid>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate it
        </Button>
      </Stack>
    </Modal>
  );
}
