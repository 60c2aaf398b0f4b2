import { ScrollArea, Table } from '@mantine/core';
import type { Disposition } from '../../../../src/contracts/names';
import type { Overview } from '../../../../src/contracts/overview';
import { exact } from '../../components/when';
import { inWords, sumOf } from './words';

/** The chart in numbers, the latest first. */
export function CapturesTable({
  series,
  shown,
  name,
}: {
  series: Overview['captures']['series'];
  shown: readonly Disposition[];
  name(at: string): string;
}) {
  return (
    <ScrollArea.Autosize
      mah={320}
      type="auto"
      viewportProps={{ tabIndex: 0, 'aria-label': 'Captures over time' }}
    >
      <Table
        stickyHeader
        verticalSpacing={4}
        fz="sm"
        className="numbers"
        miw={(shown.length + 2) * 90}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            {shown.map((one) => (
              <Table.Th key={one} ta="right">
                {inWords(one)}
              </Table.Th>
            ))}
            <Table.Th ta="right">all</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...series].reverse().map(({ at, counts }) => (
            <Table.Tr key={at}>
              <Table.Th fw={500} scope="row">
                <time dateTime={at} title={exact(at)}>
                  {name(at)}
                </time>
              </Table.Th>
              {shown.map((one) => (
                <Table.Td key={one} ta="right">
                  {(counts[one] ?? 0).toLocaleString()}
                </Table.Td>
              ))}
              <Table.Td ta="right" fw={600}>
                {sumOf(counts).toLocaleString()}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
