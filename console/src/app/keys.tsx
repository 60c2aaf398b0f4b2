import { Kbd, Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { GROUPS } from './navigation';
import { useSession } from './session-context';

/** Between `g` and the letter of a page. */
const SECOND_KEY_MS = 1_500;

/** `g` and a letter goes to a page, `?` shows the keys, `/` goes to the search of a page. @returns shows them. */
export function useKeys(): () => void {
  const navigate = useNavigate();
  const { allowed } = useSession();
  const pressed = useRef(0);
  const show = () =>
    modals.open({ title: 'Keys of this console', children: <Keys />, size: 'md', centered: true });
  const places = GROUPS.flatMap(({ places: all }) => all).filter(({ needs }) =>
    allowed.includes(needs),
  );
  useHotkeys([
    ['shift+?', show],
    ['/', () => document.querySelector<HTMLInputElement>('input[data-page-search]')?.focus()],
    ...places.map(({ letter, to }): [string, () => void] => [
      letter,
      () => {
        const follows = Date.now() - pressed.current < SECOND_KEY_MS;
        pressed.current = letter === 'g' && !follows ? Date.now() : 0;
        if (follows) void navigate({ to });
      },
    ]),
  ]);
  return show;
}

function Keys() {
  const places = GROUPS.flatMap(({ places: all }) => all);
  return (
    <Table>
      <Table.Tbody>
        {places.map(({ letter, label }) => (
          <Table.Tr key={letter}>
            <Table.Td>
              <Kbd>g</Kbd> <Kbd>{letter}</Kbd>
            </Table.Td>
            <Table.Td>{label}</Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Td>
            <Kbd>/</Kbd>
          </Table.Td>
          <Table.Td>Search on this page</Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Td>
            <Kbd>j</Kbd> <Kbd>k</Kbd>
          </Table.Td>
          <Table.Td>Next and previous row of a list</Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Td>
            <Kbd>Enter</Kbd>
          </Table.Td>
          <Table.Td>Open the row</Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Td>
            <Kbd>a</Kbd> <Kbd>x</Kbd>
          </Table.Td>
          <Table.Td>In the inbox: approve, reject</Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Td>
            <Kbd>Ctrl</Kbd> <Kbd>J</Kbd>
          </Table.Td>
          <Table.Td>Light or dark</Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}
