import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Erasure, ErasureAccepted } from '../../../../src/contracts/erasure';
import { send } from '../../api/http';
import { useOne } from '../../api/paging';
import { useSession } from '../../app/session-context';
import { DoButton, useDoing } from '../../components/doing';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { Counts } from './counts';
import { type Named, SelectorFields, selectorOf } from './selector-fields';
import { StatusBadge } from './status-badge';

const route = getRouteApi('/erasures');
/** What has to be typed before anything is taken away for good. */
const WORD = 'erase';

interface Asking {
  dry: boolean;
}

/** Names what is to go, shows what a dry run finds, and asks for a word before it is done. */
export function AskErasure() {
  const { tab: _tab, ...given } = route.useSearch();
  const navigate = route.useNavigate();
  const { principal } = useSession();
  const isMember = principal.role === 'member';
  const [named, setNamed] = useState<Named>(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? ''])),
  );
  const [basis, setBasis] = useState('');
  const [reason, setReason] = useState('');
  const [word, setWord] = useState('');
  const [tried, setTried] = useState<{ id: string; of: string } | null>(null);
  const [found, setFound] = useState<string | null>(null);
  const selector = selectorOf(named);
  const of = JSON.stringify(selector);
  const isNamed = isMember || Object.keys(selector).length > 0;

  const ask = useDoing<Asking, { data: ErasureAccepted }>({
    call: ({ dry }) =>
      send('/v1/erasures', {
        method: 'POST',
        body: {
          ...(isMember ? {} : { selector }),
          ...(basis.trim() === '' ? {} : { legal_basis: basis.trim() }),
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
          dry_run: dry,
        },
      }),
    done: (_, { dry }) =>
      dry
        ? 'Looking for what would go'
        : 'From now on it is refused everywhere; it is being erased',
    touches: ['erasures', 'runs', 'cards'],
    then: ({ data }, { dry }) => {
      if (dry) setTried({ id: data.erasure_id, of });
      else void navigate({ to: '/erasures/$id', params: { id: data.erasure_id } });
    },
  });
  const looked = tried !== null && tried.of === of;

  return (
    <Stack>
      <Panel
        title={isMember ? 'What is about yourself' : 'What is to be forgotten'}
        says={
          isMember
            ? 'All that is about you, in every place that keeps anything.'
            : 'Whatever any of the fields names, and all that was derived from it alone.'
        }
      >
        <Stack gap="sm">
          {!isMember && <SelectorFields named={named} set={setNamed} />}
          <TextInput
            label="Legal basis"
            description="Shown on the receipt: a reference, no story"
            placeholder="GDPR Art. 17(1)(b)"
            value={basis}
            onChange={(event) => setBasis(event.currentTarget.value)}
            maxLength={100}
          />
          <Textarea
            label="Reason"
            description="For the record while it runs; redacted, and gone once it has ended"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            autosize
            minRows={1}
          />
          <Group>
            <DoButton
              doing={ask}
              size="sm"
              variant="filled"
              disabled={!isNamed}
              onClick={() => ask.mutate({ dry: true })}
            >
              Dry run: what would go?
            </DoButton>
          </Group>
        </Stack>
      </Panel>
      {looked && <Tried id={tried.id} found={setFound} />}
      {looked && found === tried.id && (
        <Panel title="For good">
          <Stack gap="sm">
            <Alert color="red" icon={<IconAlertTriangle size={18} />}>
              This cannot be taken back. What is named is refused everywhere from the moment you
              ask, and a backup that brings it back is cleaned by its tombstones.
            </Alert>
            <Group align="flex-end">
              <TextInput
                label={`Type “${WORD}” to go on`}
                value={word}
                onChange={(event) => setWord(event.currentTarget.value)}
                autoComplete="off"
              />
              <Button
                color="red"
                disabled={word.trim().toLowerCase() !== WORD}
                loading={ask.isPending}
                onClick={() => ask.mutate({ dry: false })}
              >
                Erase
              </Button>
            </Group>
          </Stack>
        </Panel>
      )}
    </Stack>
  );
}

const OPEN_MS = 1_500;

/** What the dry run has found, as it goes. */
function Tried({ id, found }: { id: string; found(id: string): void }) {
  const query = useOne<Erasure>(
    'erasures',
    `/v1/erasures/${encodeURIComponent(id)}`,
    {},
    { refetchInterval: OPEN_MS },
  );
  const isDone = query.data?.completed_at != null;
  useEffect(() => {
    if (isDone) found(id);
  }, [isDone, found, id]);
  return (
    <Panel title="What would go">
      <Loaded query={query}>
        {(erasure) => (
          <Stack gap="sm">
            <Group>
              <StatusBadge status={erasure.status} dry />
              {erasure.completed_at === null && <Text size="sm">Still looking…</Text>}
            </Group>
            <Counts counts={erasure.counts} would />
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}
