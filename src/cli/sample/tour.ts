import type { CairnClient } from '../../client/client';
import type { Card } from '../../contracts/card';
import type { JsonObject } from '../../contracts/event';
import type { CaptureResult } from '../../contracts/messages';
import type { RecallAnswer, RecalledCard } from '../../contracts/recall';
import { SIGN_MARKS } from '../recall-text';

/** One thing that the sample shows. */
export interface Stop {
  name: string;
  title: string;
  /** What to see in it. */
  says: string[];
  /** For programs. */
  data: JsonObject;
  /** To see it again. */
  repeat: string;
}

/** Walks through what the fleet of `samples/fleet.jsonl` has learned. */
export async function tour(client: CairnClient): Promise<Stop[]> {
  const act = await client.with({ agent: 'herald-friday' }).recall({
    query: 'send the spring issue follow-up to all readers with the mailer',
    intent: 'act',
  });
  return [
    warned(act),
    await resolved(client, act),
    await conflict(client),
    await competence(client),
    await redacted(client),
    await leftOut(client),
    await strikes(client),
    await note(client),
  ];
}

function warned(answer: RecallAnswer): Stop {
  const [first] = answer.cards;
  return {
    name: 'act',
    title: 'herald-friday, spawned by herald this morning, is about to send. It is warned first:',
    says: answer.cards.map((card) => `${SIGN_MARKS[card.sign]} ${card.summary}`),
    data: { first: first?.id ?? null, kind: first?.kind ?? null, via: first?.via ?? null },
    repeat:
      'npx cairn recall "send the spring issue follow-up to all readers with the mailer" --agent herald-friday --intent act',
  };
}

/** A warning that a later success answers stays, and says what answers it. */
async function resolved(client: CairnClient, answer: RecallAnswer): Promise<Stop> {
  const card = answer.cards.find(({ resolved_by }) => resolved_by !== undefined);
  const [by] = card?.resolved_by ?? [];
  const says = ['no resolved warning was recalled'];
  let reason: string | null = null;
  if (card !== undefined && by !== undefined) {
    const { items } = await client.cards.edges(card.id);
    reason = items.find(({ type, from }) => type === 'satisfies' && from === by)?.reason ?? null;
    says.splice(0, 1, `! ${card.summary}`, `  resolved by ${by}: ${reason ?? ''}`);
  }
  return {
    name: 'resolved',
    title: 'The cap on a single call was met once and solved by splitting; the warning says so:',
    says,
    data: { warning: card?.id ?? null, resolved_by: by ?? null, reason },
    repeat: `npx cairn cards show ${card?.id ?? 'ID'}`,
  };
}

async function conflict(client: CairnClient): Promise<Stop> {
  const query = 'restart the checkout service in eu-west';
  const answer = await client
    .with({ agent: 'probe' })
    .recall({ query, intent: 'act', explain: true });
  const lost = answer.dropped?.find(({ reason }) => reason === 'conflict');
  const winner = answer.cards.find(({ id }) => id === lost?.winner);
  const loser = lost === undefined ? null : await client.cards.get(lost.id);
  return {
    name: 'conflict',
    title:
      'A restart worked on the 3rd and failed on the 10th. Recall never shows both; the newer wins:',
    says: [
      `shown     ${describe(winner)}`,
      `left out  ${describe(loser)}  (${lost?.reason ?? 'nothing'})`,
    ],
    data: { winner: winner?.id ?? null, loser: lost?.id ?? null, reason: lost?.reason ?? null },
    repeat: `npx cairn recall "${query}" --agent probe --intent act --explain`,
  };
}

async function competence(client: CairnClient): Promise<Stop> {
  const { items } = await client.competence({ task_type: 'issue_refund' });
  const ranked = [...items].sort((a, b) => b.lower_bound - a.lower_bound);
  return {
    name: 'competence',
    title: 'Who is good at refunds, by evidence (at least so good, at 95 %):',
    says: ranked.map(
      (one) =>
        `${one.agent.padEnd(10)} ${one.completed} of ${one.attempts} done, at least ${Math.round(one.lower_bound * 100)} %, ` +
        `${(one.cost_mean ?? 0).toFixed(2)} and ${Math.round((one.duration_ms_mean ?? 0) / 1000)} s each`,
    ),
    data: { ranked: ranked.map(({ agent, lower_bound }) => ({ agent, lower_bound })) },
    repeat: curl('/v1/competence?task_type=issue_refund'),
  };
}

async function redacted(client: CairnClient): Promise<Stop> {
  const shown = await Promise.all(
    ['sample-bill-12', 'sample-sre-11'].map((id) => client.events.get(id)),
  );
  return {
    name: 'redacted',
    title: 'Contact data and secrets never became durable; what is the same stays recognisable:',
    says: shown.flatMap(({ event_id, event, redactions }) => [
      `${event_id}: ${listed(redactions)}`,
      ...placeholders(event),
    ]),
    data: { events: shown.map(({ event_id, redactions }) => ({ event_id, redactions })) },
    repeat: curl('/v1/events/sample-bill-12'),
  };
}

async function leftOut(client: CairnClient): Promise<Stop> {
  const { items } = await client.events.list({ disposition: 'transient' });
  const ours = items.filter(({ event_id }) => event_id.startsWith('sample-'));
  const flagged = (await client.cards.list({ agent: 'clerk-ada', service: 'inbox' })).items[0];
  return {
    name: 'kept_out',
    title:
      'Scratch work left no card, by a rule of the policy; a planted instruction left its mark and not its words:',
    says: [
      ...ours.map(
        ({ event_id, reason }) => `${event_id}: transient${reason === null ? '' : ` (${reason})`}`,
      ),
      `${describe(flagged)}  flagged ${flagged?.flags.join(', ') || 'nothing'}`,
    ],
    data: {
      transient: ours.map(({ event_id }) => event_id),
      flagged: flagged?.id ?? null,
      flags: flagged?.flags ?? [],
    },
    repeat: curl('/v1/events?disposition=transient'),
  };
}

/**
 * What failed three times within the window asks for a fix of the configuration. Captures run side by
 * side, so any of the three may be the one that made it three.
 */
async function strikes(client: CairnClient): Promise<Stop> {
  const nights = await Promise.all(
    ['sample-sre-03', 'sample-sre-05', 'sample-sre-07'].map(async (id) => {
      const { operation_id } = await client.events.get(id);
      return client.operations.result<CaptureResult>(operation_id);
    }),
  );
  const [most] = nights.sort((a, b) => (b.strikes ?? 0) - (a.strikes ?? 0));
  const card = most?.card_id ? await client.cards.get(most.card_id) : null;
  return {
    name: 'strikes',
    title:
      'The nightly backup failed three nights at the same step, which is when a fix is proposed:',
    says: [`strike ${most?.strikes ?? 0}: ${card?.summary ?? '(not there)'}`],
    data: { event: most?.event_id ?? null, strikes: most?.strikes ?? null },
    repeat: curl(`/v1/operations/${most?.operation_id ?? 'ID'}`),
  };
}

async function note(client: CairnClient): Promise<Stop> {
  const ledger = client.with({ agent: 'ledger' });
  const current = await ledger.notes.get('refund-limit');
  return {
    name: 'note',
    title: 'A note was written three times; the newest holds, and the older ones stay to be seen:',
    says: [`${current.key}: ${current.value}`],
    data: { card: current.card_id, value: current.value },
    repeat: `npx cairn cards show ${current.card_id} --as ledger`,
  };
}

function describe(card: Card | RecalledCard | null | undefined): string {
  return card ? `${card.id}  ${card.summary}` : '(not there)';
}

function listed(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([type, count]) => `${type} ${count}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/** The texts of an event that hold a placeholder. */
function placeholders(value: unknown): string[] {
  if (typeof value === 'string') return /\[[A-Z]+_[A-Za-z0-9_]+\]/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(placeholders);
}

function curl(path: string): string {
  return `curl -s -H "Authorization: Bearer $CAIRN_KEY" "$CAIRN_URL${path}"`;
}
