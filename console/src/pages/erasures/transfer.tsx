import { Alert, FileInput, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ImportTaken } from '../../../../src/contracts/transfer';
import { download } from '../../api/http';
import { useMay, useSession } from '../../app/session-context';
import { DoButton, useDoing } from '../../components/doing';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { saveFile } from '../../components/save-file';
import { sendImport } from './import-sending';

/** What leaves as a signed file, and what comes in by one. */
export function Transfer() {
  const mayImport = useMay('POST /v1/import');
  return (
    <Stack>
      <ExportPanel />
      {mayImport && <ImportPanel />}
    </Stack>
  );
}

function ExportPanel() {
  const { principal } = useSession();
  const isMember = principal.role === 'member';
  const [subject, setSubject] = useState('');
  const [agent, setAgent] = useState('');
  const save = useDoing({
    call: async () => {
      const blob = await download('/v1/export', {
        query: { subject: subject.trim() },
        agent: agent.trim(),
      });
      saveFile('cairn-export.ndjson', 'application/x-ndjson', blob);
      return blob.size;
    },
    done: (bytes) => `${bytes.toLocaleString()} bytes saved`,
    touches: [],
  });
  return (
    <Panel
      title="Export"
      says="Cards with their versions, edges, grants, events and policy as lines of JSON, signed at the end. A file without its last line broke off."
    >
      <Group align="flex-end">
        {!isMember && (
          <>
            <TextInput
              label="About one subject"
              placeholder="everything"
              value={subject}
              onChange={(event) => setSubject(event.currentTarget.value)}
            />
            <TextInput
              label="As one agent sees it"
              placeholder="as yourself"
              value={agent}
              onChange={(event) => setAgent(event.currentTarget.value)}
            />
          </>
        )}
        <DoButton doing={save} size="sm" variant="filled" onClick={() => save.mutate()}>
          {isMember ? 'Download what is about you' : 'Download'}
        </DoButton>
      </Group>
    </Panel>
  );
}

function ImportPanel() {
  const [file, setFile] = useState<File | null>(null);
  const [key, setKey] = useState('');
  const [sent, setSent] = useState(0);
  const [taken, setTaken] = useState<ImportTaken | null>(null);
  const take = useDoing<File, ImportTaken>({
    call: (from) => sendImport(from, key.trim(), setSent),
    done: 'The file is here, its signature holds; its lines are being applied',
    touches: ['cards', 'runs', 'agents', 'events'],
    then: setTaken,
  });
  return (
    <Panel
      title="Import"
      says="Verified before anything is applied. What stands here under the same id is never overwritten; the run names it."
    >
      <Stack gap="sm">
        <Group align="flex-end">
          <FileInput
            label="Export"
            placeholder="cairn-export.ndjson"
            value={file}
            onChange={(next) => {
              setFile(next);
              setSent(0);
              setTaken(null);
            }}
            w={260}
            clearable
          />
          <TextInput
            label="Another installation’s key"
            description="Its id, as they tell you"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <DoButton
            doing={take}
            size="sm"
            variant="filled"
            disabled={file === null}
            onClick={() => file !== null && take.mutate(file)}
          >
            Import
          </DoButton>
        </Group>
        {take.isPending && file !== null && (
          <Progress value={(100 * sent) / Math.max(1, file.size)} aria-label="Sent" />
        )}
        {taken?.operation_id != null && (
          <Alert role="status" color="lichen">
            <Text size="sm">
              {taken.lines.toLocaleString()} lines are held.{' '}
              <AnchorLink to="/runs/$id" params={{ id: taken.operation_id }}>
                What becomes of them
              </AnchorLink>
            </Text>
          </Alert>
        )}
      </Stack>
    </Panel>
  );
}
