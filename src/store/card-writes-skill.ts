import type { SkillCase } from '../contracts/skill';
import { skillSummary } from '../domain/skills/summary';
import { cardIndexText, lexicalTerms } from '../domain/terms';
import { type ChangedColumns, changeCard, indexColumns, reindexCard } from './card-edits';
import type { CardVector } from './card-writes';
import type { VisibleCard } from './cards';
import type { Tx } from './database';
import { entityRows } from './entity-writes';
import { addCases } from './skill-cases';
import { type TestedSkill, testVersion } from './skill-testing';
import { insertVersion, type NewSkillVersion, setCurrent } from './skills';

export interface NewSkill {
  /** Of a card of the kind `skill_lesson`, written in this transaction. */
  cardId: string;
  name: string;
  version: NewSkillVersion;
  cases: readonly { case: SkillCase; event?: string | null; card?: string | null }[];
  now: Date;
}

/**
 * Makes a skill of a card that was just written. Its first version is current where it passes its own
 * tests; else it is `failed`, and the skill a `draft` that nobody is advised to use.
 * @throws where another skill of the scope has the name: `lostKeyRace` knows it.
 */
export async function addSkill(tx: Tx, skill: NewSkill): Promise<TestedSkill> {
  const { cardId, name, version, cases, now } = skill;
  await tx.query(
    `INSERT INTO skills (workspace_id, card_id, name, scope_type, scope_id, holds_name, status, latest_version,
                         created_at)
     SELECT $1, c.id, $3, c.scope_type, c.scope_id,
            c.status IN ('pending', 'active', 'validated', 'quarantined'), 'draft', 1, $4
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, cardId, name, now],
  );
  await insertVersion(tx, cardId, 1, version, now);
  await addCases(tx, cardId, cases, now);
  const tested = await testVersion(tx, cardId, 1, now);
  if (tested.mayBecomeCurrent) await setCurrent(tx, cardId, 1);
  return tested;
}

/** The card of a skill, by the version that becomes current. */
export interface SkillCardChange {
  seen: Pick<VisibleCard, 'agent' | 'team'> & {
    card: Pick<VisibleCard['card'], 'id' | 'version' | 'key' | 'subject' | 'topic' | 'hints'>;
  };
  name: string;
  version: number;
  description: string;
  document: NewSkillVersion['document'];
  /** Of the text that `skillIndexText` makes; null is embedded later. */
  vector: CardVector | null;
  /** What else changes with the words: trust, status, flags. */
  columns: ChangedColumns;
  /** In the card's history. */
  action: 'skill_version' | 'skill_rollback';
  actor: { kind: string; id: string };
  at: Date;
}

/** What a skill's card is found by, in the words of a version. */
export function skillIndexText(change: Pick<SkillCardChange, 'seen'>, summary: string): string {
  return cardIndexText(indexedOf(change, summary));
}

function indexedOf({ seen }: Pick<SkillCardChange, 'seen'>, summary: string) {
  return { ...seen.card, summary, agent: seen.agent, team: seen.team };
}

/**
 * Makes a version the one in use, and the card say what it is for: by compare-and-set on the card.
 * @returns the card's new version; null where it moved on, and then nothing may be committed
 */
export async function makeCurrent(tx: Tx, change: SkillCardChange): Promise<number | null> {
  const { seen, vector, at, actor, action } = change;
  const { id } = seen.card;
  const summary = skillSummary(change.name, change.description, change.document);
  const terms = lexicalTerms(skillIndexText(change, summary));
  const version = await changeCard(tx, {
    id,
    expected: seen.card.version,
    columns: { ...change.columns, summary, ...indexColumns(terms, vector) },
    action,
    actor,
    at,
  });
  if (version === null) return null;
  const entities = entityRows(indexedOf(change, summary));
  await reindexCard(tx, { id, version, at }, { terms, entities }, vector);
  await setCurrent(tx, id, change.version);
  return version;
}
