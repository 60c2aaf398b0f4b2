import { Alert, Button, Group, Stack, Text, Textarea, TextInput, Timeline } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ConfigFix } from '../../../../src/contracts/proposal';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { When } from '../../components/when';

/** Successes that prove a fix. */
const PROOFS = 3;
const LAPSES_AFTER_DAYS = 90;

/** How far an approved fix has come, and the word that it is in the configuration. */
export function FixFollowUp({ fix }: { fix: ConfigFix }) {
  const { status, applied_at, approved_at, closed_at, config_version, note, observed } = fix;
  const may = useMay('POST /v1/config-fixes/:id/applied');
  const reached = applied_at === null ? 0 : status === 'applied' ? 1 : 2;
  return (
    <Stack gap="md">
      <Timeline active={status === 'lapsed' ? 2 : reached} bulletSize={16} lineWidth={2}>
        <Timeline.Item title="Approved">
          <Text size="sm" c="dimmed">
            <When at={approved_at} />, version {fix.version} of the proposal
          </Text>
        </Timeline.Item>
        <Timeline.Item title={applied_at === null ? 'Not applied yet' : 'Applied'}>
          <Text size="sm" c="dimmed">
            <When at={applied_at} none="Its runtime has not said that it is in the configuration" />
            {config_version !== null && `, in version ${config_version}`}
          </Text>
          {note !== null && (
            <Text size="sm" className="told">
              {note}
            </Text>
          )}
        </Timeline.Item>
        <Timeline.Item title={END[status]}>
          <Text size="sm" c="dimmed" className="numbers">
            {applied_at === null
              ? `Its step is watched once it is applied; ${PROOFS} successes prove it.`
              : `${observed.worked} of ${PROOFS} successes, ${observed.failed} failed since.`}{' '}
            {closed_at === null ? (
              `Without a word it lapses after ${LAPSES_AFTER_DAYS} days.`
            ) : (
              <When at={closed_at} />
            )}
          </Text>
        </Timeline.Item>
      </Timeline>
      {status === 'approved' && may && <MarkApplied fix={fix} />}
      {status === 'approved' && !may && (
        <Alert color="gray" title="For its runtime">
          The runtime says when it is applied; an owner or an operator may say it too.
        </Alert>
      )}
    </Stack>
  );
}

const END: Record<ConfigFix['status'], string> = {
  approved: 'To be proven',
  applied: 'Watched',
  proven: 'Proven',
  reopened: 'Failed again, and reopened',
  lapsed: 'Lapsed',
};

function MarkApplied({ fix: { id } }: { fix: ConfigFix }) {
  const [version, setVersion] = useState('');
  const [note, setNote] = useState('');
  const applying = useDoing({
    call: () => {
      const body = {
        ...(version.trim() === '' ? {} : { config_version: version.trim() }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      };
      return send(`/v1/config-fixes/${encodeURIComponent(id)}/applied`, { method: 'POST', body });
    },
    done: 'Applied. Its step is watched from now on.',
    touches: ['config_fixes', 'proposals'],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    applying.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" maw={520}>
        <Text size="sm">
          Say so once it is in the configuration, where its runtime does not do so itself.
        </Text>
        <TextInput
          label="Version of the configuration"
          placeholder="2026-12-01.3"
          maxLength={200}
          value={version}
          onChange={(event) => setVersion(event.currentTarget.value)}
        />
        <Textarea
          label="Note"
          autosize
          minRows={1}
          maxRows={5}
          maxLength={2_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" size="sm" loading={applying.isPending}>
            Mark applied
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
