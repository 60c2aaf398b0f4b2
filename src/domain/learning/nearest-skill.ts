import type { SkillDocument } from '../../contracts/skill';
import { cosine, type Vector } from '../similarity';
import { stepOverlap } from './merged-skill';
import type { SkillDraft } from './skill-of-task';

/** A skill of the scope that a new one is compared with. */
export interface KnownSkill {
  card_id: string;
  name: string;
  document: SkillDocument;
}

/** What of a skill is embedded to compare it: its name, what it is for, and its calls or steps. */
export function comparedText({ name, document }: Pick<SkillDraft, 'name' | 'document'>): string {
  const steps = document.steps.map(({ text, operation }) => operation ?? text);
  return [name.replace(/[-_.]+/g, ' '), document.purpose, ...steps].join('\n');
}

/**
 * The skill of the scope that is most like a new one, and how much, 0–1: by the cosine of their texts where both have a
 * vector, else by the overlap of their steps. Two that have no step in common are two skills, whatever their words.
 *
 * @param vectors the new one's first, then one a known skill; null where the embedder gave none
 */
export function nearestSkill<Known extends KnownSkill>(
  draft: SkillDraft,
  known: readonly Known[],
  vectors: readonly Vector[] | null,
): { skill: Known; similarity: number } | null {
  const own = vectors?.[0];
  let best: { skill: Known; similarity: number } | null = null;
  for (const [at, skill] of known.entries()) {
    const shared = stepOverlap(draft.document.steps, skill.document.steps);
    if (shared === 0) continue;
    const other = vectors?.[at + 1];
    const similarity =
      own === undefined || other === undefined ? shared : Math.max(0, cosine(own, other));
    if (best === null || similarity > best.similarity) best = { skill, similarity };
  }
  return best;
}

/** A name that no skill of the scope has: itself, or with the next number. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name}-${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
