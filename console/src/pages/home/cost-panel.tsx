import { Stack, Table, Text } from '@mantine/core';
import type { ModelSpending, Overview } from '../../../../src/contracts/overview';
import { ButtonLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { spanInWords } from './words';

const MOST_ROWS = 6;

/** What language models were asked, and for what. */
export function CostPanel({ overview, days }: { overview: Overview; days: string }) {
  const { totals, by } = overview.cost;
  return (
    <Panel
      title="Cost"
      says={`Answered calls of language models ${spanInWords(days)}`}
      actions={
        <ButtonLink to="/settings" search={{ tab: 'models' }}>
          Models
        </ButtonLink>
      }
    >
      {totals.calls === 0 ? (
        <Text size="sm" c="dimmed">
          No model was asked: cards are worded by rules, or nothing had to be worded.
        </Text>
      ) : (
        <Stack gap="xs">
          <Text size="sm" className="numbers">
            <b>{inWords(totals)}</b>
          </Text>
          <Table fz="sm" verticalSpacing={4} className="numbers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>For</Table.Th>
                <Table.Th ta="right">Calls</Table.Th>
                <Table.Th ta="right">Tokens in, out</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {by.slice(0, MOST_ROWS).map((one) => (
                <Table.Tr key={`${one.activity} ${one.model}`}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {one.activity}
                    <Text size="xs" c="dimmed">
                      {one.model}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{one.calls.toLocaleString()}</Table.Td>
                  <Table.Td ta="right">
                    {one.input_tokens.toLocaleString()}, {one.output_tokens.toLocaleString()}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </Panel>
  );
}

/** Money where prices are known; tokens always. */
function inWords({ calls, input_tokens, output_tokens, amount }: ModelSpending): string {
  const money = amount === null ? '' : `${amount.toFixed(2)} · `;
  const tokens = (input_tokens + output_tokens).toLocaleString();
  return `${money}${calls.toLocaleString()} calls, ${tokens} tokens`;
}
