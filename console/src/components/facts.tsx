import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** Names and values, one a row; a value that is null or undefined is left out. */
export function Facts({ rows }: { rows: ReadonlyArray<readonly [string, ReactNode]> }) {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <Table layout="fixed" verticalSpacing={5} withRowBorders={false}>
      <Table.Tbody>
        {shown.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={150} fw={500} c="dimmed" fz="sm" style={{ verticalAlign: 'top' }}>
              {name}
            </Table.Th>
            <Table.Td fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
