import { type ActingEntity, actingEntities } from '../domain/acting';
import type { EntityCard } from '../domain/entities';

/** Part of a statement: the entities of one card, from a parameter that `entityRows` fills. */
export const ENTITIES_FROM = (workspace: string, card: string, rows: string) => `
  INSERT INTO entities (workspace_id, card_id, name, kind, acts)
  SELECT ${workspace}, ${card}, e.name, e.kind, e.acts
    FROM jsonb_to_recordset(${rows}::jsonb) AS e (name text, kind text, acts boolean)`;

export function entityRows(card: EntityCard): string {
  return JSON.stringify(actingEntities(card) satisfies ActingEntity[]);
}
