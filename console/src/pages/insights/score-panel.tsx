import { Group, Progress, Stack, Text } from '@mantine/core';
import type { Severity, Urgency } from '../../../../src/contracts/insight';
import { Panel } from '../../components/panel';
import { Score } from './marks';
import { changeInWords } from './words';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

interface Term {
  name: string;
  points: number;
  most: number;
  /** How it is computed. */
  how: string;
  /** What it rests on here. */
  basis: string;
}

/** The score in its four terms: each number, how it is computed, and what it rests on. */
export function ScorePanel({ urgency, severity }: { urgency: Urgency; severity: Severity }) {
  return (
    <Panel
      title="Financial urgency score"
      says="0–100: the sum of four terms, computed when the insight was saved, and kept"
    >
      <Stack gap="md">
        {termsOf(urgency, severity).map(({ name, points, most, how, basis }) => (
          <div key={name} data-term={name}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={550}>
                {name}
              </Text>
              <Text size="sm" className="numbers">
                <b>{points.toFixed(1)}</b> of {most}
              </Text>
            </Group>
            <Progress value={(points / most) * 100} size="sm" my={4} aria-label={name} />
            <Text size="sm" className="told">
              {basis}
            </Text>
            <Text size="xs" c="dimmed">
              {how}
            </Text>
          </div>
        ))}
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={650}>
            Together
          </Text>
          <Score score={urgency.score} size="xl" />
        </Group>
      </Stack>
    </Panel>
  );
}

function termsOf(urgency: Urgency, severity: Severity): Term[] {
  return [
    {
      name: 'Severity',
      points: urgency.severity,
      most: 30,
      how: 'low 8 · medium 15 · high 23 · critical 30',
      basis: `Said to be ${severity}.`,
    },
    {
      name: 'Dollars',
      points: urgency.dollars,
      most: 35,
      how: '35 × log₁₀(1 + dollars ∕ 100) ∕ log₁₀(1,001), of the largest amount: full at 100,000',
      basis: dollarsInWords(urgency.basis.dollars),
    },
    {
      name: 'Velocity',
      points: urgency.velocity,
      most: 20,
      how: '20 × change for the worse a week ∕ 25 %: full at a quarter a week',
      basis: velocityInWords(urgency.basis.velocity),
    },
    {
      name: 'Time sensitivity',
      points: urgency.time_sensitivity,
      most: 15,
      how: 'What the policy says of the domain (insights.time_sensitivity)',
      basis: `Of the domain ${urgency.basis.domain}.`,
    },
  ];
}

function dollarsInWords(basis: Urgency['basis']['dollars']): string {
  if (basis === null) return 'No amount of money in its words or metrics.';
  const { quote, currency, per, dollars, source } = basis;
  const rate = per === null ? '' : ` a ${per}`;
  const sum = `$${dollars.toLocaleString(undefined, { maximumFractionDigits: 0 })}`;
  const where = source === 'finding' ? 'in the finding' : 'of a metric';
  return `“${quote}” (${currency}${rate}), ${where}: ${sum}${per === null ? '' : ' a month'}.`;
}

function velocityInWords(basis: Urgency['basis']['velocity']): string {
  if (basis === null) return 'No two numbers of one metric within four weeks.';
  const { metric, weekly_change: change, from, to } = basis;
  const way =
    change <= 0
      ? 'it does not get worse'
      : `${changeInWords(change).replace(/ (more|less)$/, '')} worse a week`;
  const days = `${DAY.format(new Date(from.at))} to ${DAY.format(new Date(to.at))}`;
  return `${metric} went from ${from.value.toLocaleString()} to ${to.value.toLocaleString()} (${days}): ${way}.`;
}
