import type { PolicyEffects, PolicyPreview } from '../contracts/policy-preview';
import { oneLine, table, thousands } from './terminal';

export function previewText(preview: PolicyPreview): string {
  if (!preview.valid) {
    const problems = preview.problems.map(
      ({ pointer, detail }) => `  ${pointer || '/'}: ${detail}`,
    );
    return ['It is not valid:', ...problems].join('\n');
  }
  const { looked_at } = preview;
  const effects = effectsText(preview.effects);
  if (effects.length === 0 || looked_at === null) return changesText(preview.changed);
  const events = `${thousands(looked_at.events)}${looked_at.events_capped ? '+' : ''} events since ${looked_at.since}`;
  const gone =
    looked_at.not_kept === 0
      ? ''
      : `; ${thousands(looked_at.not_kept)} more left nothing to look at`;
  return [
    changesText(preview.changed),
    '',
    `Had it held, of ${events}${gone}:`,
    ...effects.map((line) => `  ${line}`),
  ].join('\n');
}

export function changesText(changed: PolicyPreview['changed']): string {
  if (changed.length === 0) return 'It changes nothing.';
  return table(
    changed.map(({ path, from, to }) => [
      path,
      `${oneLine(JSON.stringify(from), 40)} → ${oneLine(JSON.stringify(to), 60)}`,
    ]),
  );
}

function effectsText(effects: PolicyEffects): string[] {
  const { write_rules, trust_rules, instruction_like, strikes, contradictions, retention } =
    effects;
  const { urgent_insights } = effects;
  return [
    ...(write_rules === undefined ? [] : rulesText('would have gone', write_rules)),
    ...(trust_rules === undefined ? [] : rulesText('would have been trusted', trust_rules)),
    ...(instruction_like === undefined
      ? []
      : [`${beforeAfter(instruction_like)} flagged cards held back`]),
    ...(strikes === undefined ? [] : strikesText(strikes)),
    ...(contradictions === undefined
      ? []
      : [`${beforeAfter(contradictions)} conflicts that no rule settles`]),
    ...(urgent_insights === undefined ? [] : [`${beforeAfter(urgent_insights)} urgent insights`]),
    ...(retention?.by_kind ?? []).map(
      ({ kind, past, to }) =>
        `${thousands(past)} cards of the kind ${kind} ${to === null ? 'would have been kept' : `are older than ${to}`}`,
    ),
    ...(retention?.event_payloads === undefined
      ? []
      : [`${beforeAfter(retention.event_payloads)} payloads of events past their time`]),
    ...(retention?.forget === undefined
      ? []
      : [`${beforeAfter(retention.forget)} cards to be forgotten at the next retention`]),
  ];
}

function rulesText(
  what: string,
  { moved, rules }: NonNullable<PolicyEffects['write_rules'] | PolicyEffects['trust_rules']>,
): string[] {
  const none = moved.length === 0 ? [`no event ${what} another way`] : [];
  return [
    ...none,
    ...moved.map(({ from, to, events }) => `${thousands(events)} events ${what} ${from} → ${to}`),
    ...rules.map(
      ({ index, match, to, events }) =>
        `rule ${index} (${oneLine(JSON.stringify(match), 60)} → ${to}) matches ${thousands(events)}`,
    ),
  ];
}

function strikesText({ steps, begin, end }: NonNullable<PolicyEffects['strikes']>): string[] {
  const line = (verb: string) => (one: (typeof begin)[number]) =>
    `  ${verb} ${oneLine(`${one.team} ${one.workflow}/${one.step}`, 70)}, ${one.failures} failures`;
  return [
    `${beforeAfter(steps)} steps strike out`,
    ...begin.map(line('strikes out:')),
    ...end.map(line('no longer:')),
  ];
}

function beforeAfter({ before, after }: { before: number; after: number }): string {
  return `${thousands(before)} → ${thousands(after)}`;
}
