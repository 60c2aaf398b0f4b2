import type { EventItem, SettledEvent } from '../../contracts/event';
import type { OtelAnswer, OtelRequest } from '../../schemas/otel';
import type { ApiDependencies } from '../app';
import type { Caller } from '../authentication';
import { type Span, spansIn } from './span';
import { eventOf, isWork } from './span-event';
import { Trace } from './trace';

/** Of one transaction, as of a batch of events. */
const BATCH = 500;
/** Reasons told in one answer; exporters write it into a log. */
const TOLD = 5;

export interface Taken {
  answer: OtelAnswer;
  /** Spans by what became of them: events, events that were there, no work, refused. */
  counts: { taken: number; duplicates: number; skipped: number; rejected: number };
}

/**
 * Makes settled events of an export's spans and records them through the one intake. A span that was
 * taken before is left as it is, in whatever company it comes again.
 */
export async function takeSpans(
  deps: ApiDependencies,
  caller: Caller,
  request: OtelRequest,
): Promise<Taken> {
  const { workspace, principal, agent } = caller.context;
  const read = spansIn(request);
  const spans = read.filter((one): one is Span => !('refused' in one));
  const work = spans.filter(isWork);
  const working = new Set(work);
  const own = principal.kind === 'agent' ? principal.id : null;
  const trace = new Trace(spans, { agent: own, fallback: agent }, (span) => working.has(span));
  const made = work.map((span) => eventOf(span, trace));
  const refused = [...read, ...made].flatMap((one) => ('refused' in one ? [one.refused] : []));
  const events = made.filter((one): one is SettledEvent => !('refused' in one));

  await deps.limits?.requireEventRoom(
    deps.database,
    caller,
    events.map(({ event_id }) => event_id),
  );
  const items: EventItem[] = [];
  for (let from = 0; from < events.length; from += BATCH) {
    items.push(
      ...(await deps.intake.record({ workspace, principal }, events.slice(from, from + BATCH))),
    );
  }
  if (items.length > 0) deps.pokeOutbox();
  // The same span is the same work, whatever stood around it in another export.
  const isKnown = (item: EventItem) =>
    item.status === 'duplicate' || item.reason?.code === 'event_id_conflict';
  for (const item of items) {
    if (item.status !== 'refused' || isKnown(item)) continue;
    refused.push(`${item.reason?.code}: ${item.reason?.detail}`);
  }
  const duplicates = items.filter(isKnown).length;
  return {
    answer: refused.length === 0 ? {} : { partialSuccess: told(refused) },
    counts: {
      taken: items.filter(({ status }) => status === 'accepted').length,
      duplicates,
      skipped: spans.length - work.length,
      rejected: refused.length,
    },
  };
}

function told(refused: readonly string[]): NonNullable<OtelAnswer['partialSuccess']> {
  const reasons = [...new Set(refused)];
  const more = reasons.length > TOLD ? `; and ${reasons.length - TOLD} more reasons` : '';
  return {
    rejectedSpans: refused.length,
    errorMessage: `${reasons.slice(0, TOLD).join('; ')}${more}`,
  };
}
