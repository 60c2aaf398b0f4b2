import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useFilters } from './filters';

const PAUSE_MS = 250;

/** Words that a card must hold; in the address once the typing pauses. */
export function SearchBox() {
  const { search, change } = useFilters();
  const asked = search.q ?? '';
  const [text, setText] = useState(asked);
  const told = useRef(asked);
  // Another address, by a link or by going back, is another search.
  useEffect(() => {
    if (asked !== told.current) setText(asked);
    told.current = asked;
  }, [asked]);
  const tell = (words: string) => {
    told.current = words.trim();
    change({ q: words.trim() || null }, search.q !== undefined);
  };
  const tellSoon = useDebouncedCallback(tell, PAUSE_MS);
  return (
    <TextInput
      type="search"
      data-page-search
      aria-label="Search in the cards"
      placeholder="Words that a card must hold"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton
            size="sm"
            aria-label="Without these words"
            onClick={() => {
              setText('');
              tell('');
            }}
          />
        )
      }
      value={text}
      maxLength={1_000}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tellSoon(event.currentTarget.value);
      }}
      style={{ flex: '1 1 220px' }}
    />
  );
}
