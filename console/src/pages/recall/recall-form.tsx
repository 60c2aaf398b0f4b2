import '@mantine/dates/styles.css';
import {
  Autocomplete,
  Button,
  Collapse,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { getHotkeyHandler, useDisclosure } from '@mantine/hooks';
import { IconAdjustments, IconPlayerPlay } from '@tabler/icons-react';
import dayjs from 'dayjs';
import { useEffect, useState } from 'react';
import { CARD_KINDS, INTENTS, RECALL_PROFILES, SIGNS } from '../../../../src/contracts/names';
import type { Agent } from '../../../../src/contracts/principal';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { COMPARISONS, type Question } from './question';

/** A picked moment of the viewer's zone as the API takes it. */
const toIso = (value: string | null) => (value === null ? undefined : dayjs(value).toISOString());
const toPicked = (value: string | undefined) =>
  value === undefined ? null : dayjs(value).format('YYYY-MM-DD HH:mm:ss');

export function RecallForm({
  question,
  busy,
  ask,
}: {
  question: Question;
  busy: boolean;
  ask(question: Question): void;
}) {
  const [draft, setDraft] = useState(question);
  useEffect(() => setDraft(question), [question]);
  const narrowed = [
    'as_of',
    'known_at',
    'about',
    'kind',
    'sign',
    'service',
    'operation',
    'limit',
    'budget',
  ];
  const [open, { toggle }] = useDisclosure(narrowed.some((name) => name in question));
  const agents = useOne<Page<Agent>>(
    'agents',
    '/v1/agents',
    { limit: 500 },
    { enabled: useMay('GET /v1/agents') },
  );
  const names = agents.data?.items.map(({ id }) => id) ?? [];
  const set = (name: keyof Question) => (value: string | number | null | undefined) =>
    setDraft((now) => {
      const { [name]: _old, ...rest } = now;
      return value === null || value === undefined || value === ''
        ? rest
        : { ...rest, [name]: String(value) };
    });
  const run = () => ask({ ...draft, asked: '1' });

  return (
    <Paper withBorder p="md" component="section" aria-label="Question">
      <Stack gap="sm">
        <Textarea
          label="What is about to be done, or asked"
          placeholder="send the newsletter to all readers"
          value={draft.q ?? ''}
          onChange={(event) => set('q')(event.currentTarget.value)}
          onKeyDown={getHotkeyHandler([['mod+Enter', run]])}
          autosize
          minRows={2}
          maxRows={8}
          data-page-search
        />
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          <Autocomplete
            label="As"
            description="An agent; empty: as yourself"
            placeholder="as myself: all cards"
            data={names}
            limit={50}
            value={draft.agent ?? ''}
            onChange={set('agent')}
          />
          <Select
            label="Intent"
            description="Empty: read from the question"
            data={[...INTENTS]}
            value={draft.intent ?? null}
            onChange={set('intent')}
            placeholder="by rule"
            clearable
          />
          <Select
            label="Profile"
            description="Empty: the policy’s"
            data={[...RECALL_PROFILES]}
            value={draft.profile ?? null}
            onChange={set('profile')}
            placeholder="the policy’s"
            clearable
          />
          <Select
            label="Compare with"
            description="A second answer beside it"
            data={Object.entries(COMPARISONS).map(([value, label]) => ({ value, label }))}
            value={draft.compare ?? null}
            onChange={(value) => {
              set('with')(null);
              set('compare')(value);
            }}
            placeholder="nothing"
            clearable
          />
        </SimpleGrid>
        <SecondSide draft={draft} names={names} set={set} />
        <Collapse expanded={open}>
          <Narrowing draft={draft} set={set} />
        </Collapse>
        <Group justify="space-between">
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<IconAdjustments size={16} aria-hidden />}
            onClick={toggle}
            aria-expanded={open}
          >
            {open ? 'Fewer conditions' : 'Moment, filters and budget'}
          </Button>
          <Button
            onClick={run}
            loading={busy}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            disabled={(draft.q ?? '').trim() === ''}
          >
            Recall
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

type Setter = (name: keyof Question) => (value: string | number | null | undefined) => void;

/** To what the second answer's one difference is set. */
function SecondSide({ draft, names, set }: { draft: Question; names: string[]; set: Setter }) {
  const label = 'Second answer';
  switch (draft.compare ?? '') {
    case 'agent':
      return (
        <Autocomplete
          label={label}
          placeholder="another agent"
          data={names}
          limit={50}
          value={draft.with ?? ''}
          onChange={set('with')}
        />
      );
    case 'as_of':
      return (
        <DateTimePicker
          label={label}
          value={toPicked(draft.with)}
          onChange={(value) => set('with')(toIso(value))}
          clearable
        />
      );
    case 'intent':
      return (
        <Select
          label={label}
          data={[...INTENTS]}
          value={draft.with ?? null}
          onChange={set('with')}
        />
      );
    default:
      return null;
  }
}

function Narrowing({ draft, set }: { draft: Question; set: Setter }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
      <DateTimePicker
        label="As of"
        description="What holds in the world then"
        value={toPicked(draft.as_of)}
        onChange={(value) => set('as_of')(toIso(value))}
        placeholder="now"
        clearable
      />
      <DateTimePicker
        label="Known at"
        description="What had been recorded by then"
        value={toPicked(draft.known_at)}
        onChange={(value) => set('known_at')(toIso(value))}
        placeholder="now"
        clearable
      />
      <TextInput
        label="About"
        description="A subject: about it, or about nobody"
        value={draft.about ?? ''}
        onChange={(event) => set('about')(event.currentTarget.value)}
      />
      <Select
        label="Kind"
        data={[...CARD_KINDS]}
        value={draft.kind ?? null}
        onChange={set('kind')}
        clearable
      />
      <Select
        label="Sign"
        data={[...SIGNS]}
        value={draft.sign ?? null}
        onChange={set('sign')}
        clearable
      />
      <TextInput
        label="Service"
        value={draft.service ?? ''}
        onChange={(event) => set('service')(event.currentTarget.value)}
      />
      <TextInput
        label="Operation"
        value={draft.operation ?? ''}
        onChange={(event) => set('operation')(event.currentTarget.value)}
      />
      <NumberInput
        label="Cards"
        description="At most; 5 unless the policy says otherwise"
        min={1}
        max={50}
        value={draft.limit ?? ''}
        onChange={set('limit')}
      />
      <NumberInput
        label="Tokens"
        description="Of the context; 1,000 unless the policy says otherwise"
        min={1}
        max={100_000}
        value={draft.budget ?? ''}
        onChange={set('budget')}
      />
    </SimpleGrid>
  );
}
