import { Alert, Code, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditSeal, AuditVerification } from '../../../../src/contracts/audit';
import { get, send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { DoButton, useDoing } from '../../components/doing';
import { Failed } from '../../components/failed';
import { IdText } from '../../components/id-text';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { Sections } from './sections';

const route = getRouteApi('/audit/chain');

const FAULTS: Record<string, string> = {
  changed: 'is not as it was sealed',
  missing: 'was sealed and is gone',
  reordered: 'stands in another place than when it was sealed',
  inserted: 'was put in after its block was sealed',
  chain: 'is a seal that does not follow on the one before',
  anchor: 'no seal has the head that was to be there: the chain was cut short or made anew',
};

/** The chain of seals over both logs, computed anew on demand. */
export function ChainPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const seals = useRows<AuditSeal>('audit', '/v1/audit/seals');
  const seal = useDoing({
    call: () => send('/v1/audit/seal', { method: 'POST' }),
    done: 'Sealing what is in the logs now',
    touches: ['audit', 'runs'],
  });
  const maySeal = useMay('POST /v1/audit/seal');
  return (
    <>
      <PageHead
        title="Seals"
        says="Each block holds a hash of its rows and of the block before: a row that is changed later is found."
        actions={
          maySeal && (
            <DoButton doing={seal} onClick={() => seal.mutate()}>
              Seal now
            </DoButton>
          )
        }
      />
      <Sections at="chain" />
      <Stack>
        <Verify
          anchor={search.anchor ?? ''}
          keep={(anchor) => void navigate({ search: { anchor }, replace: true })}
        />
        <RowsTable
          label="Seals"
          rows={seals}
          keyOf={({ n }) => String(n)}
          height={440}
          columns={[
            { name: 'Block', width: '70px', align: 'right', cell: ({ n }) => n },
            { name: 'Sealed', width: '130px', cell: ({ sealed_at }) => <When at={sealed_at} /> },
            {
              name: 'Changes',
              width: '100px',
              align: 'right',
              cell: ({ audit }) => audit.rows.toLocaleString(),
            },
            {
              name: 'Reads',
              width: '100px',
              align: 'right',
              cell: ({ access }) => access.rows.toLocaleString(),
            },
            {
              name: 'Head',
              width: 'minmax(0, 1fr)',
              wideOnly: true,
              cell: ({ head }) => <IdText id={head} short />,
            },
          ]}
        />
      </Stack>
    </>
  );
}

function Verify({ anchor, keep }: { anchor: string; keep(anchor: string | undefined): void }) {
  const [done, setDone] = useState(0);
  const verify = useMutation<AuditVerification, Error, string>({
    mutationFn: async (head) => {
      setDone(0);
      let after: number | null = 0;
      let last: AuditVerification | null = null;
      while (after !== null) {
        const said: AuditVerification = await get('/v1/audit/verify', {
          after,
          anchor: head || null,
        });
        last = said;
        setDone(said.next ?? said.seals);
        after = said.ok ? said.next : null;
      }
      if (last === null) throw new Error('nothing was looked at');
      return last;
    },
  });
  const [head, setHead] = useState(anchor);
  const { data } = verify;
  return (
    <Panel
      title="Verify"
      says="Computes every hash anew and compares. A head that you kept elsewhere also shows a chain that was cut short."
    >
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            label="A head from before"
            placeholder="64 hex digits; may be empty"
            value={head}
            onChange={(event) => setHead(event.currentTarget.value.trim())}
            w={360}
            maw="100%"
          />
          <DoButton
            doing={verify}
            size="sm"
            variant="filled"
            onClick={() => {
              keep(head || undefined);
              verify.mutate(head);
            }}
          >
            Verify the chain
          </DoButton>
        </Group>
        {verify.isPending && (
          <Progress value={100} animated aria-label={`${done} blocks looked at`} />
        )}
        {verify.error !== null && <Failed error={verify.error} />}
        {data !== undefined && <Verdict said={data} />}
      </Stack>
    </Panel>
  );
}

function Verdict({ said }: { said: AuditVerification }) {
  if (said.ok) {
    return (
      <Alert
        role="status"
        color="green"
        icon={<IconShieldCheck size={18} />}
        title="Everything stands as it was sealed"
      >
        <Text size="sm">
          {said.verified.toLocaleString()} of {said.seals.toLocaleString()} blocks, changes to no.{' '}
          {said.sealed_to.audit.toLocaleString()} and reads to no.{' '}
          {said.sealed_to.access.toLocaleString()}; {said.unsealed.toLocaleString()} rows wait for
          the next seal.
        </Text>
        {said.head !== null && (
          <Text size="sm">
            Head to keep elsewhere: <Code style={{ overflowWrap: 'anywhere' }}>{said.head}</Code>
          </Text>
        )}
      </Alert>
    );
  }
  const bad = said.first_bad;
  return (
    <Alert
      role="alert"
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title="The logs are not as they were sealed"
    >
      {bad === undefined
        ? 'It does not say where.'
        : `First: ${bad.log} ${bad.seq === null ? '' : `no. ${bad.seq}`} ${FAULTS[bad.reason] ?? bad.reason}.`}{' '}
      {said.verified.toLocaleString()} blocks before it hold.
    </Alert>
  );
}
