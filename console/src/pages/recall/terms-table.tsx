import { Progress, Table, Text, Tooltip } from '@mantine/core';
import type { ScoreTerms } from '../../../../src/contracts/recall';
import { TERM_WORDS } from './words';

const NUMBER = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Every factor of a score by its name; the arms have bars, beside the largest of this answer. */
export function TermsTable({ terms, most }: { terms: ScoreTerms; most: number }) {
  const known = new Set(TERM_WORDS.map(([name]) => name));
  const others = Object.keys(terms).filter((name) => !known.has(name) && name !== 'score');
  const rows = [
    ...TERM_WORDS.filter(([name]) => name in terms),
    ...others.map((name) => [name, name, ''] as const),
  ];
  return (
    <Table withRowBorders={false} verticalSpacing={2} fz="xs" aria-label="Terms of the score">
      <Table.Tbody>
        {rows.map(([name, label, says]) => {
          const value = terms[name] ?? 0;
          const isArm = name.startsWith('z_');
          return (
            <Table.Tr key={name}>
              <Table.Th w={150} fw={name === 'relevance' ? 650 : 400}>
                <Tooltip label={says} disabled={says === ''} multiline maw={280}>
                  <span>{label}</span>
                </Tooltip>
              </Table.Th>
              <Table.Td w={84} ta="right" className="numbers">
                {NUMBER.format(value)}
              </Table.Td>
              <Table.Td>
                {isArm && (
                  <Progress
                    value={most === 0 ? 0 : (100 * Math.max(0, value)) / most}
                    size="sm"
                    aria-label={`${label}: ${NUMBER.format(value)}`}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
        <Table.Tr>
          <Table.Th>score</Table.Th>
          <Table.Td ta="right" className="numbers">
            <Text span fw={650} size="xs">
              {NUMBER.format(terms.score ?? 0)}
            </Text>
          </Table.Td>
          <Table.Td />
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

/** The largest arm of an answer, beside which the bars are drawn. */
export function largestArm(all: ReadonlyArray<ScoreTerms | undefined>): number {
  return Math.max(
    0,
    ...all.flatMap((terms) =>
      Object.entries(terms ?? {}).map(([name, value]) => (name.startsWith('z_') ? value : 0)),
    ),
  );
}
