import type { CardScope } from '../contracts/card';
import type { SkillDocument } from '../contracts/skill';
import type { Tx } from './database';
import type { VisibleSkill } from './skills-read';
import { skillsAmong } from './skills-read';

/** A skill of a scope that has a version in use, with what that says. */
export interface ScopeSkill {
  card_id: string;
  name: string;
  status: 'current' | 'deprecated';
  /** Of the skill, in use. */
  version: number;
  description: string;
  document: SkillDocument;
  /** A person wrote the version in use. */
  by_person: boolean;
}

/** More skills of one scope are not compared; the latest are. */
const MOST_SKILLS = 100;

/** For a pass, which reads for nobody: what it makes of them stays in their scope. */
export async function skillsOfScope(tx: Tx, scope: CardScope): Promise<ScopeSkill[]> {
  return await tx.query<ScopeSkill>(
    `SELECT s.card_id, s.name, s.status, v.version, v.description, v.document, v.writer_kind = 'person' AS by_person
       FROM skills s
       JOIN skill_versions v ON v.workspace_id = s.workspace_id AND v.card_id = s.card_id
                            AND v.version = s.current_version
      WHERE s.workspace_id = $1 AND s.scope_type = $2 AND s.scope_id = $3 AND s.holds_name
      ORDER BY s.created_at DESC, s.card_id
      LIMIT ${MOST_SKILLS}`,
    [tx.workspace, scope.type, scope.id],
  );
}

/** Names that are held in a scope, of drafts too. */
export async function namesOfScope(tx: Tx, scope: CardScope): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>(
    'SELECT name FROM skills WHERE workspace_id = $1 AND scope_type = $2 AND scope_id = $3 AND holds_name',
    [tx.workspace, scope.type, scope.id],
  );
  return new Set(rows.map(({ name }) => name));
}

/** A skill with its card, whoever may see it; null where it is gone. */
export async function skillForPass(
  tx: Tx,
  cardId: string,
  now: Date,
): Promise<VisibleSkill | null> {
  const [skill] = await skillsAmong(tx, [tx.workspace, null, null, true, null, now], [cardId]);
  return skill ?? null;
}
