import type { CardHints } from '../contracts/card';
import { entityName } from './entity-name';
import { namesIn } from './entity-text';
import { isNoName } from './entity-words';
import { tokensOf } from './tokens';

export const ENTITY_KINDS = [
  'service',
  'operation',
  'subject',
  'person',
  'thing',
  'keyword',
  'agent',
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** What a card or a query is about. Cards and queries meet by `name`; the kind tells where it stood. */
export interface Entity {
  kind: EntityKind;
  /** As `entityName` makes it: at most 80 characters. */
  name: string;
}

/** What is known of a card when its entities are written. */
export interface EntityCard {
  summary: string;
  hints?: Partial<Pick<CardHints, 'service' | 'operation' | 'task_type' | 'workflow' | 'keywords'>>;
  subject?: string | null;
  topic?: string | null;
  key?: string | null;
  agent?: string | null;
  team?: string | null;
}

/** So that one card joins few others, and none by accident of its length. */
export const MOST_ENTITIES = 12;

/** Keywords are what is left over: names say more. */
const MOST_KEYWORDS = 4;

/**
 * What a card is about, each name once, at most twelve: its labels first, then the people and things its
 * summary names in order of appearance, then its keywords. Deterministic, without a model, and linear in
 * the text; nothing is known of any name beforehand.
 */
export function entitiesOf(card: EntityCard): Entity[] {
  const hints = card.hints ?? {};
  const labels: [EntityKind, string | null | undefined][] = [
    ['service', hints.service],
    ['operation', hints.operation],
    ['subject', card.subject],
    ['agent', card.agent],
    ['thing', card.key],
    ['thing', card.topic],
    ['agent', card.team],
  ];
  const keywords = (hints.keywords ?? []).slice(0, MOST_KEYWORDS);
  return bounded([
    ...labels.map(([kind, label]) => ({ kind, name: entityName(label ?? '') })),
    ...namesIn(card.summary).slice(0, MOST_ENTITIES),
    ...keywords.map((word) => ({ kind: 'keyword' as const, name: entityName(word) })),
  ]);
}

/**
 * What a query may be about, at most twelve: the people and things it names, then its other words as
 * keywords, for whoever writes "what does caroline do?". Taken more freely than from a card, since a
 * name that no card has finds nothing.
 */
export function entitiesAsked(query: string): Entity[] {
  const names = namesIn(query, true).slice(0, MOST_ENTITIES);
  const words = tokensOf(query.slice(0, 2_000))
    .filter((word) => word.length > 2 && !isNoName(word))
    .map((word) => ({ kind: 'keyword' as const, name: entityName(word) }));
  return bounded([...names, ...words]);
}

function bounded(entities: readonly Entity[]): Entity[] {
  const first = new Map<string, Entity>();
  for (const entity of entities) {
    if (first.size >= MOST_ENTITIES) break;
    if (entity.name.length > 1 && !first.has(entity.name)) first.set(entity.name, entity);
  }
  return [...first.values()];
}
