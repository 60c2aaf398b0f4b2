import { Alert, FileInput, Group, Stack, Table, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ErasureReceipt } from '../../../../src/contracts/erasure';
import type { ErasureVerification, TombstonesFile } from '../../../../src/contracts/erasure-proof';
import { get, send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { DoButton, useDoing } from '../../components/doing';
import { Failed } from '../../components/failed';
import { Panel } from '../../components/panel';
import { saveFile } from '../../components/save-file';

/** Looks at a receipt once more: is it ours, and does what it says still hold? */
export function VerifyReceipt() {
  const [file, setFile] = useState<File | null>(null);
  const [texts, setTexts] = useState('');
  const mayTombstones = useMay('GET /v1/tombstones');
  const verify = useMutation<ErasureVerification, Error>({
    mutationFn: async () => {
      const receipt = await receiptOf(file);
      const search = texts
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      const body = { receipt, ...(search.length === 0 ? {} : { search }) };
      return (await send<ErasureVerification>('/v1/erasures/verify', { method: 'POST', body }))
        .data;
    },
  });
  return (
    <Stack>
      <Panel
        title="A receipt"
        says="The signature is checked, and whether anything that was erased stands anywhere again. Nothing that you send is kept."
      >
        <Stack gap="sm">
          <FileInput
            label="Receipt"
            placeholder="receipt-….json"
            accept="application/json,.json"
            value={file}
            onChange={setFile}
            clearable
          />
          <Textarea
            label="Texts that are to be nowhere"
            description="One a line, looked for in every durable place; may be empty"
            value={texts}
            onChange={(event) => setTexts(event.currentTarget.value)}
            autosize
            minRows={2}
          />
          <Group>
            <DoButton
              doing={verify}
              size="sm"
              variant="filled"
              disabled={file === null}
              onClick={() => verify.mutate()}
            >
              Verify
            </DoButton>
          </Group>
          {verify.error !== null && <Failed error={verify.error} />}
          {verify.data !== undefined && <Verdict said={verify.data} />}
        </Stack>
      </Panel>
      {mayTombstones && <TombstonesPanel />}
    </Stack>
  );
}

async function receiptOf(file: File | null): Promise<ErasureReceipt> {
  if (file === null) throw new Error('Choose the file of a receipt first.');
  try {
    const found = JSON.parse(await file.text()) as ErasureReceipt & { receipt?: ErasureReceipt };
    return found.receipt ?? found;
  } catch {
    throw new Error('This file is no receipt: it is not JSON.');
  }
}

const SIGNATURES = {
  valid: 'It is signed by this installation.',
  foreign: 'It is signed by another installation’s key.',
  invalid: 'It was changed after it was signed, or is signed by nobody.',
};

function Verdict({ said }: { said: ErasureVerification }) {
  const found = [
    ...said.returned.map(({ place, kind, found: n }) => [place, `${kind}: ${n}`] as const),
    ...said.places
      .filter(({ found: n }) => n > 0)
      .map(({ place, found: n }) => [place, `text: ${n}`] as const),
    ...said.left.map(({ place, found: n }) => [place, `left then: ${n}`] as const),
  ];
  return (
    <Alert
      role="status"
      color={said.ok ? 'green' : 'red'}
      icon={said.ok ? <IconShieldCheck size={18} /> : <IconAlertTriangle size={18} />}
      title={said.ok ? 'It holds' : 'It does not hold'}
    >
      <Text size="sm">
        {SIGNATURES[said.signature]}{' '}
        {said.missing > 0 &&
          `${said.missing} of its hashes are no tombstones here: apply those of the backup.`}
      </Text>
      {found.length > 0 && (
        <Table fz="sm" mt="xs" aria-label="What was found">
          <Table.Tbody>
            {found.map(([place, what]) => (
              <Table.Tr key={`${place} ${what}`}>
                <Table.Td>{place}</Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Alert>
  );
}

/** Kept beside backups: a restore brings back what was erased since, and this takes it away again. */
function TombstonesPanel() {
  const [file, setFile] = useState<File | null>(null);
  const mayApply = useMay('POST /v1/tombstones');
  const save = useDoing({
    call: async () => {
      const all = await get<TombstonesFile>('/v1/tombstones');
      saveFile('cairn-tombstones.json', 'application/json', JSON.stringify(all));
      return all.tombstones.length;
    },
    done: (count) => `${count.toLocaleString()} tombstones saved`,
    touches: [],
  });
  const apply = useDoing({
    call: async () =>
      (
        await send<{ written: number; erasure_id: string | null }>('/v1/tombstones', {
          method: 'POST',
          body: JSON.parse((await file?.text()) ?? 'null'),
        })
      ).data,
    done: ({ written, erasure_id }) =>
      erasure_id === null
        ? `${written} were new; nothing had come back`
        : `${written} were new; what had come back is being erased`,
    touches: ['erasures'],
  });
  return (
    <Panel
      title="Tombstones for a backup"
      says="Keyed hashes of what was erased. Keep them beside each backup, and apply them after a restore."
    >
      <Group align="flex-end">
        <DoButton doing={save} onClick={() => save.mutate()}>
          Download
        </DoButton>
        {mayApply && (
          <>
            <FileInput
              label="After a restore"
              placeholder="cairn-tombstones.json"
              accept="application/json,.json"
              value={file}
              onChange={setFile}
              w={240}
            />
            <DoButton doing={apply} disabled={file === null} onClick={() => apply.mutate()}>
              Apply
            </DoButton>
          </>
        )}
      </Group>
    </Panel>
  );
}
