import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type {
  PolicyEffects,
  PolicyPreview,
  RuleEffects,
} from '../../../../../src/contracts/policy-preview';
import { durationInWords } from './durations';

/** What the candidate would have done with what is stored, in sentences. */
export function Effects({ preview }: { preview: PolicyPreview }) {
  const told = sentencesOf(preview.effects);
  const { looked_at: looked } = preview;
  return (
    <Stack gap={6}>
      {told.length === 0 ? (
        <Text size="sm">
          Of what is stored, nothing would have gone another way, or there is nothing to tell it by.
        </Text>
      ) : (
        <List size="sm" spacing={4}>
          {told.map((one, at) => (
            <List.Item key={`${at}`}>{one}</List.Item>
          ))}
        </List>
      )}
      {looked !== null && (
        <Text size="xs" c="dimmed">
          Looked at {looked.events.toLocaleString()} events
          {looked.events_capped ? ' and no more' : ''} of the last 30 days
          {looked.not_kept > 0
            ? `; ${looked.not_kept.toLocaleString()} that rules keep out left nothing to look at`
            : ''}
          . What is stored stays as it is: a policy holds for what comes after.
        </Text>
      )}
    </Stack>
  );
}

function sentencesOf(effects: PolicyEffects): ReactNode[] {
  const {
    instruction_like: held,
    contradictions,
    urgent_insights: urgent,
    strikes,
    retention,
  } = effects;
  const told: ReactNode[] = [];
  told.push(...ruleSentences('events', effects.write_rules));
  told.push(...ruleSentences('trusted as', effects.trust_rules));
  if (held !== undefined) told.push(`Marked cards held back: ${beforeAfter(held)}.`);
  if (contradictions !== undefined) {
    told.push(`Contradictions that a person has to settle: ${beforeAfter(contradictions)}.`);
  }
  if (urgent !== undefined) told.push(`Insights told as urgent: ${beforeAfter(urgent)}.`);
  if (strikes !== undefined) {
    told.push(`Steps that strike out: ${beforeAfter(strikes.steps)}.`);
    for (const [word, steps] of [
      ['Would begin to', strikes.begin],
      ['Would no longer', strikes.end],
    ] as const) {
      if (steps.length === 0) continue;
      told.push(
        `${word}: ${steps
          .slice(0, 8)
          .map(
            ({ team, workflow, step, failures }) => `${team} · ${workflow} · ${step} (${failures})`,
          )
          .join('; ')}.`,
      );
    }
  }
  for (const { kind, from, to, past } of retention?.by_kind ?? []) {
    const name = (time: string | null) => (time === null ? 'for ever' : durationInWords(time));
    told.push(
      `${kind.replaceAll('_', ' ')}: kept ${name(from)} → ${name(to)}; ${past.toLocaleString()} cards are older than that now.`,
    );
  }
  if (retention?.event_payloads !== undefined) {
    told.push(`Payloads past their time: ${beforeAfter(retention.event_payloads)}.`);
  }
  if (retention?.forget !== undefined) {
    told.push(`Cards that the next retention forgets by rule: ${beforeAfter(retention.forget)}.`);
  }
  return told;
}

function ruleSentences(word: string, effects: RuleEffects<string> | undefined): string[] {
  if (effects === undefined) return [];
  const moved = effects.moved.map(
    ({ from, to, events }) =>
      `${events.toLocaleString()} ${word === 'events' ? 'events would be' : 'events would be trusted as'} ${to} instead of ${from}.`,
  );
  const hits = effects.rules.map(
    ({ index, to, events }) =>
      `Rule ${index + 1} (${to}) matches ${events.toLocaleString()} events.`,
  );
  return [...moved, ...hits];
}

function beforeAfter({ before, after }: { before: number; after: number }): string {
  return before === after
    ? `${after.toLocaleString()}, as now`
    : `${before.toLocaleString()} → ${after.toLocaleString()}`;
}
