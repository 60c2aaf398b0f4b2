import { Autocomplete, Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { GraphNode } from '../../../../src/contracts/graph';
import { SIGNS } from '../../../../src/contracts/names';
import { LIMITS, type View, type ViewSearch } from './use-view';

const PAUSE_MS = 200;

/** Whose cards, how they went, how many; words light up the cards that hold them. */
export function FilterBar({
  view,
  nodes,
  change,
}: {
  view: View;
  nodes: readonly GraphNode[];
  change(changes: ViewSearch, step?: boolean): void;
}) {
  const [words, setWords] = useState(view.words);
  const [agent, setAgent] = useState(view.agent ?? '');
  useEffect(() => setWords(view.words), [view.words]);
  useEffect(() => setAgent(view.agent ?? ''), [view.agent]);
  const search = useDebouncedCallback((q: string) => change({ q }), PAUSE_MS);
  const agents = useMemo(
    () => [...new Set(nodes.flatMap((node) => node.agent ?? []))].sort(),
    [nodes],
  );
  return (
    <Group gap="sm" align="flex-end" mb="sm">
      <TextInput
        label="Light up"
        placeholder="words of a card"
        type="search"
        data-page-search
        leftSection={<IconSearch size={16} aria-hidden />}
        value={words}
        onChange={({ currentTarget: { value } }) => {
          setWords(value);
          search(value);
        }}
        style={{ flex: '1 1 200px' }}
      />
      <Autocomplete
        label="Agent"
        placeholder="anyone"
        data={agents}
        limit={8}
        openOnFocus={false}
        value={agent}
        onChange={setAgent}
        onOptionSubmit={(value) => change({ agent: value }, true)}
        onBlur={() => agent !== (view.agent ?? '') && change({ agent }, true)}
        onKeyDown={({ key }) => key === 'Enter' && change({ agent }, true)}
        clearable
        onClear={() => change({ agent: undefined }, true)}
        w={180}
      />
      <NativeSelect
        label="Went"
        value={view.sign ?? ''}
        onChange={({ currentTarget: { value } }) => change({ sign: value }, true)}
        data={[{ value: '', label: 'either way' }, ...SIGNS]}
        w={130}
      />
      <NativeSelect
        label={view.center === undefined ? 'Newest cards' : 'Around the card'}
        value={view.center === undefined ? view.limit : view.depth}
        onChange={({ currentTarget: { value } }) =>
          change(view.center === undefined ? { limit: value } : { depth: value }, true)
        }
        data={
          view.center === undefined
            ? LIMITS.map((value) => ({ value, label: `at most ${Number(value).toLocaleString()}` }))
            : [
                { value: '1', label: 'one step' },
                { value: '2', label: 'two steps' },
              ]
        }
        w={150}
      />
      <Switch
        label="Hide cards without edges"
        checked={view.hidesLone}
        onChange={({ currentTarget: { checked } }) =>
          change({ lone: checked ? 'hide' : undefined }, true)
        }
        mb={8}
      />
    </Group>
  );
}
