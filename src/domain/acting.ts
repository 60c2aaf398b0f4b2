import { type Entity, type EntityCard, entitiesAsked, entitiesOf } from './entities';
import { entityName } from './entity-name';

/** An entity of a card, and whether it is by or about it: who is merely mentioned does not act. */
export interface ActingEntity extends Entity {
  acts: boolean;
}

/**
 * The entities of a card with those that act: its agent, its subject, and who speaks ("Ana: I moved
 * to Lisbon"). A question about Ana is answered by her cards and those about her; that another card
 * mentions her is the lexical arm's to find.
 */
export function actingEntities(card: EntityCard): ActingEntity[] {
  const speaker = entityName(/^([^:\n]{1,80}): /.exec(card.summary)?.[1] ?? '');
  const actors = new Set([entityName(card.agent ?? ''), entityName(card.subject ?? ''), speaker]);
  return entitiesOf(card).map((entity) => ({ ...entity, acts: actors.has(entity.name) }));
}

/** The names in a query, as `entityName` makes them: some may act in cards. */
export function namesAsked(query: string): string[] {
  return entitiesAsked(query).map(({ name }) => name);
}

/** Words that a query needs besides its names to ask for anything. */
const LEAST_WORDS = 2;

/**
 * The query without these names, which tells the cards of one person apart: all of them are by or about
 * that person. Null where it has none of them, or nothing would be left.
 *
 * @param names of those who act
 */
export function withoutNames(query: string, names: readonly string[]): string | null {
  const parts = new Set(names.flatMap((name) => [name, ...name.split(' ')]));
  const words = query.split(/\s+/u).filter((word) => word !== '');
  const kept = words.filter((word) => !parts.has(entityName(word)));
  const telling = kept.filter((word) => /\p{L}{2}/u.test(word));
  return kept.length === words.length || telling.length < LEAST_WORDS ? null : kept.join(' ');
}
