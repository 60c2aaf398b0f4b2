import type { CardStory } from '../contracts/story';
import { SIGN_MARKS } from './recall-text';
import { oneLine, printable, table, thousands, wrapped } from './terminal';

/** Of another card's words: enough to know it by. */
const WORDS = 90;

type Brief = Pick<CardStory['card'], 'id' | 'kind' | 'sign' | 'status' | 'summary'>;

/** A card's story, in the order in which one asks. */
export function storyText(story: CardStory, width: number): string {
  const { card } = story;
  const head = `${card.id}, version ${card.version}: ${card.kind} ${card.sign}, ${card.status}`;
  return [
    printable(head),
    '',
    wrapped(printable(card.summary), width, '  '),
    ...section('Why it exists', why(story)),
    ...section('What it became', became(story)),
    ...section('Who saw it', seen(story)),
    ...section('Where it was put to use', injected(story)),
    ...(story.truncated.length === 0
      ? []
      : ['', `The newest only, of: ${story.truncated.join(', ')}.`]),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', title, ...lines];
}

function why({ card, why: origin }: CardStory): string[] {
  const { event, operation, written_by, sources } = origin;
  const rows: [string, string | null][] = [
    ['recorded', `${origin.recorded_at}, by ${written_by.kind} ${written_by.id}`],
    [
      'event',
      event &&
        `${event.event_id}: ${event.kind ?? 'not kept'} ${event.outcome ?? ''} of ${event.agent}, at ${event.occurred_at ?? event.recorded_at}, ` +
          `reported by ${event.reported_by.kind} ${event.reported_by.id}`,
    ],
    ['worded by', wordedBy(origin)],
    ['trust', `${card.trust}, confidence ${card.confidence}`],
    ['operation', operation && `${operation.id}: ${operation.type}, ${operation.status}`],
    ['workflow', origin.workflow_id && `${origin.workflow_id}, run ${origin.run_id ?? 'unknown'}`],
  ];
  return [
    fields(rows),
    ...sources.map((one) => `  ${one.relation.replace('_', ' ')} ${briefLine(one)}`),
  ];
}

function wordedBy({ distilled_by, model, prompt_version }: CardStory['why']): string {
  if (distilled_by === 'person') return 'hand';
  if (distilled_by === 'fallback') return 'the rules';
  return `model ${model ?? 'unknown'}, prompt ${prompt_version ?? 'unknown'}`;
}

function became({ card, became: now }: CardStory): string[] {
  const versions = now.versions.map((one) => [
    `  ${one.version}`,
    one.at,
    `${one.action}, by ${one.actor.kind} ${printable(one.actor.id)}`,
    `${one.status}, ${one.scope.type} ${printable(one.scope.id)}`,
    one.version === 1 ? '' : one.changed.join(' '),
  ]);
  const edges = now.edges.map((edge) => {
    const what = edge.from === card.id ? edge.type : `${edge.type}, by`;
    return `  ${what.replace('_', ' ')} ${briefLine(edge.other)}`;
  });
  const lineage = now.derived.map(
    (one) => `  came of it (${one.relation.replace('_', ' ')}): ${briefLine(one)}`,
  );
  const proposals = now.proposals.map(
    (one) => `  evidence of ${one.id}: ${one.type}, ${one.status}, version ${one.version}`,
  );
  const successor =
    now.superseded_by === null ? [] : [`  superseded by ${briefLine(now.superseded_by)}`];
  return [table(versions), ...successor, ...proposals, ...edges, ...lineage];
}

function seen({ seen: reads }: CardStory): string[] {
  if (reads.reads === 0) return ['  Nobody whose card it is not.'];
  const rows = reads.by.map((one) => [
    `  ${who(one)}`,
    `via ${one.via}`,
    times(one.reads),
    span(one),
  ]);
  return [`  ${times(reads.reads)}, ${span(reads)}`, table(rows)];
}

function injected({ injected: uses }: CardStory): string[] {
  if (uses.recalls === 0) return ['  It was in no recall.'];
  const sessions =
    uses.sessions === 0
      ? ''
      : ` of ${thousands(uses.sessions)} session${uses.sessions === 1 ? '' : 's'}`;
  const rows = uses.latest.map((one) => [
    `  ${one.recall_id}`,
    one.at,
    who(one),
    one.session === null ? '' : `session ${oneLine(one.session, 40)}`,
    `${one.intent}, ${one.section}, place ${one.position + 1}`,
    one.proven_at === null ? '' : 'it helped',
  ]);
  const recalls = `${thousands(uses.recalls)} recall${uses.recalls === 1 ? '' : 's'}`;
  return [`  ${recalls}${sessions}, ${span(uses)}`, table(rows)];
}

function span({ first_at, last_at }: { first_at: string | null; last_at: string | null }): string {
  return first_at === last_at ? `at ${last_at}` : `from ${first_at} to ${last_at}`;
}

function who({ agent, person }: { agent: string | null; person: string | null }): string {
  const names = [agent === null ? '' : `agent ${agent}`, person === null ? '' : `person ${person}`];
  return printable(names.filter((name) => name !== '').join(' for ') || 'nobody named');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${thousands(count)} times`;
}

function briefLine(card: Brief): string {
  return `${card.id}: ${SIGN_MARKS[card.sign]} ${oneLine(card.summary, WORDS)} (${card.status})`;
}

function fields(rows: readonly [string, string | null][]): string {
  return table(
    rows.flatMap(([name, value]) => (value === null ? [] : [[`  ${name}`, printable(value)]])),
  );
}
