import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { LegalHold } from '../../../../src/contracts/legal-hold';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import { RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { type Named, SelectorFields, selectorOf } from './selector-fields';

/** While one stands, nothing that it keeps is deleted, expires or is erased. */
export function Holds() {
  const rows = useRows<LegalHold>('erasures', '/v1/legal-holds');
  const maySet = useMay('PUT /v1/legal-holds/:id');
  const mayLift = useMay('DELETE /v1/legal-holds/:id');
  const lift = useDoing<string>({
    call: (id) => send(`/v1/legal-holds/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    done: 'Lifted: what it kept may go again',
    touches: ['erasures'],
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          A hold wins over every deletion, expiry and erasure.
        </Text>
        {maySet && <SetHold />}
      </Group>
      <RowsTable
        label="Legal holds"
        rows={rows}
        keyOf={({ id }) => id}
        height={460}
        columns={[
          {
            name: 'Hold',
            width: 'minmax(0, 0.8fr)',
            cell: ({ id }) => (
              <Text size="sm" fw={550}>
                {id}
              </Text>
            ),
          },
          {
            name: 'Keeps',
            width: 'minmax(0, 1.2fr)',
            cell: ({ selector }) =>
              Object.entries(selector)
                .map(([name, value]) =>
                  Array.isArray(value)
                    ? `${value.length} ${name === 'card_ids' ? 'cards' : 'events'}`
                    : `${name === 'source' ? 'service' : name} ${value}`,
                )
                .join(', '),
          },
          {
            name: 'Because',
            width: 'minmax(0, 1.4fr)',
            wideOnly: true,
            cell: ({ reason }) => reason ?? '—',
          },
          {
            name: 'Set',
            width: '140px',
            wideOnly: true,
            cell: ({ created_at, set_by }) => (
              <>
                <When at={created_at} />
                <Text size="xs" c="dimmed">
                  by {set_by}
                </Text>
              </>
            ),
          },
          {
            name: 'Action',
            width: '80px',
            cell: ({ id }) =>
              mayLift && (
                <DoButton
                  doing={lift}
                  size="compact-xs"
                  onClick={() =>
                    confirm({
                      title: `Lift the hold ${id}?`,
                      says: 'What it keeps may be deleted, expire and be erased again.',
                      yes: 'Lift it',
                      danger: true,
                      onYes: () => lift.mutate(id),
                    })
                  }
                >
                  Lift
                </DoButton>
              ),
          },
        ]}
        empty={<Empty title="No hold">Nothing is kept from being forgotten.</Empty>}
      />
    </Stack>
  );
}

function SetHold() {
  const [open, { open: show, close }] = useDisclosure(false);
  const [id, setId] = useState('');
  const [reason, setReason] = useState('');
  const [named, setNamed] = useState<Named>({});
  const selector = selectorOf(named);
  const set = useDoing({
    call: () =>
      send(`/v1/legal-holds/${encodeURIComponent(id.trim())}`, {
        method: 'PUT',
        body: { selector, reason: reason.trim() },
      }),
    done: 'It holds from the next request on',
    touches: ['erasures'],
    then: () => {
      close();
      setId('');
      setReason('');
      setNamed({});
    },
  });
  const ready = id.trim() !== '' && reason.trim() !== '' && Object.keys(selector).length > 0;
  return (
    <>
      <Button size="xs" onClick={show}>
        Set a hold
      </Button>
      <Modal opened={open} onClose={close} title="Set a legal hold" size="lg">
        <Stack gap="sm">
          <TextInput
            label="Its name"
            placeholder="case-2026-14"
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            required
          />
          <SelectorFields named={named} set={setNamed} />
          <Textarea
            label="Because"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            autosize
            minRows={2}
            required
          />
          <Button disabled={!ready} loading={set.isPending} onClick={() => set.mutate()}>
            Set the hold
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
