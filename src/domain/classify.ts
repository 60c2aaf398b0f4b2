import type { SettledEvent } from '../contracts/event';
import type { CardKind, Sign } from '../contracts/names';

/** A rule of work that is to hold from now on. */
const CONVENTION =
  /\b(?:from now on|going forward|in (?:the )?future,|as a rule|by convention|our (?:convention|policy|rule|standard|practice) (?:is|says)|we (?:always|never|usually|agreed to|decided to|use \S+ for)|always (?:use|ask|check|send|write|include|prefer|call|run|put|name)|never (?:use|send|share|call|delete|write|commit|merge|push)|please (?:always|never)|make sure (?:to always|you always)|the (?:rule|convention|standard|policy) is)\b/i;
/** Something noticed over several cases. */
const INSIGHT =
  /\b(?:(?:i|we)(?:'ve| have)? (?:noticed|found out|realis?zed|learned|learnt|concluded|observed) (?:that|how)|it turns out|turned out that|the (?:pattern|trend|root cause|lesson|takeaway|insight|finding) (?:is|was|here)|(?:tends?|tend) to|correlat\w+ with|most of the time|whenever .{3,60}, (?:it|the|we)|up \d+ ?%|down \d+ ?%)\b/i;
/** A preference or a fact about someone or something. */
const FACT =
  /\b(?:remember (?:that|this|my)|for (?:future|your) reference|keep in mind|note that (?:my|our|i|we)|(?:i|we) (?:prefer|like|love|hate|dislike|live|work|was born|am allergic|are allergic)|my (?:favou?rite|preferred|birthday|address|name is|wife|husband|son|daughter|partner|doctor|diet|allergy)|(?:is|am|are) (?:allergic to|vegetarian|vegan)|(?:he|she|they|customer|client|user) prefers?)\b/i;

/**
 * The kind of card that an event makes, in the order of design §7: the emitter's own word; a
 * delegation; a keyed note; a failure or block; a settled execution; a chat by its text; knowledge.
 */
export function classifyKind(event: SettledEvent): CardKind {
  if (event.card_kind !== undefined) return event.card_kind;
  if (event.kind === 'delegation') return 'delegation';
  if (event.key !== undefined) return 'knowledge';
  if (event.outcome === 'failed' || event.outcome === 'blocked') return 'constraint';
  switch (event.kind) {
    case 'failure':
      return 'constraint';
    case 'service_call':
    case 'workflow_step':
      return 'experience';
    case 'chat':
      return chatKind(event);
    case 'observation':
      return 'knowledge';
    default:
      event.kind satisfies never;
      return 'knowledge';
  }
}

/** A card's sign is the outcome's verdict; a block counts as a failure. */
export function signOf(event: SettledEvent): Sign {
  switch (event.outcome) {
    case 'worked':
    case 'neutral':
      return event.outcome;
    case 'failed':
    case 'blocked':
      return 'failed';
    default:
      event.outcome satisfies never;
      return 'neutral';
  }
}

/** A conversation that was concluded is an experience; one that only states something is what it states. */
function chatKind(event: SettledEvent): CardKind {
  const said = statement(event);
  if (said === null) return 'experience';
  if (CONVENTION.test(said)) return 'convention';
  if (INSIGHT.test(said)) return 'insight';
  if (FACT.test(said)) return 'knowledge';
  return event.text !== undefined && event.outcome === 'neutral' ? 'knowledge' : 'experience';
}

/** The words of a chat that may be a statement: a text, or a person's messages without a service. */
function statement(event: SettledEvent): string | null {
  if (typeof event.text === 'string' && event.text.trim() !== '') return event.text.slice(0, 4_000);
  if (event.service !== undefined || event.operation !== undefined) return null;
  const messages = Array.isArray(event.messages) ? event.messages : [];
  const said = messages
    .filter((message) => message?.role === 'user' && typeof message.content === 'string')
    .map((message) => message.content.slice(0, 2_000))
    .slice(-6);
  if (said.length > 0) return said.join('\n');
  return typeof event.input === 'string' && event.output === undefined
    ? event.input.slice(0, 4_000)
    : null;
}
