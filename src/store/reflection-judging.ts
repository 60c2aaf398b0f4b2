import type { Policy } from '../contracts/policy';
import type { ReflectionBatch } from '../contracts/reflection';
import type { Episode } from '../domain/consolidation/episode';
import { memberOf } from '../domain/consolidation/groups';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { durationMs } from '../domain/durations';
import { stepOverlap } from '../domain/learning/merged-skill';
import { isNews } from '../domain/reflection/again';
import { type Candidate, textsOf } from '../domain/reflection/candidate';
import { decide, type GateFacts } from '../domain/reflection/gate';
import { movedSources } from '../domain/reflection/moved';
import { textSimilarity } from '../domain/similarity';
import { holdSources, readSources } from './card-writes-episodes';
import type { Tx } from './database';
import { knownFacts } from './filing-reflection';
import { earlierOf } from './filing-reflections-before';
import { type Found, type JudgedAs, keepFound, readFound } from './reflection-found';
import { type Verdict, writeVerdict } from './reflection-verdicts';
import { matterHashOf } from './reflections';
import { type NewRunChange, noteChanges } from './run-changes';
import { policyOf } from './settings';
import { skillsOfScope } from './skills-of-scope';

/** A candidate that is judged, and who judges. */
export interface Judgement {
  operationId: string;
  workflowId: string;
  runId: string;
  batch: ReflectionBatch;
  /** Its place in the batch, from 0. */
  at: number;
  dryRun: boolean;
  makesVectors: boolean;
  /** Whether redaction would take something out of a text, or has. */
  isSensitive(text: string): boolean;
  now: Date;
}

/** Two statements as alike as this say the same. */
const SAME = 0.8;

/**
 * Judges one candidate by the gate and does what it decides, in one transaction. Its cards are held and looked at
 * again: where one is no longer what was read the candidate is left, and the card named. What stands already is not
 * written again. Tried again after a commit that nobody heard of, it answers what that one did.
 * @returns null where the batch has no candidate at that place
 */
export async function judgeCandidate(tx: Tx, judgement: Judgement): Promise<JudgedAs | null> {
  const { operationId, batch, at, now } = judgement;
  const found = await readFound(tx, operationId, batch.n);
  if (found === null) return null;
  const before = found.judged[at];
  if (before !== undefined) return before;
  const candidate = found.candidates[at];
  if (candidate === undefined) return null;
  await holdSources(tx, candidate.sources);
  // Looked at again once the rows are held: an erasure takes what was found with its sources.
  if ((await readFound(tx, operationId, batch.n)) === null) return null;
  const outcome = await judge(tx, { ...judgement, candidate, found });
  const judged = [...found.judged, outcome];
  await keepFound(tx, operationId, batch.n, { ...found, judged }, now);
  return outcome;
}

async function judge(
  tx: Tx,
  judgement: Judgement & { candidate: Candidate; found: Found },
): Promise<JudgedAs> {
  const { candidate, found, operationId, batch, now, isSensitive } = judgement;
  const policy = await policyOf(tx);
  const tieMs = durationMs(policy.resolve.tie);
  const cards = await readSources(tx, candidate.sources, { now, tieMs });
  const versions = versionsOf(candidate, batch);
  const moved = movedSources(versions, cards, now.getTime());
  if (moved.length > 0) {
    const skipped = moved.map(
      ({ id, reason }): NewRunChange => ({ change: 'skipped', card_id: id, reason }),
    );
    await noteChanges(tx, operationId, skipped, now);
    return 'moved';
  }
  const sources = candidate.sources.flatMap((id) => cards.get(id) ?? []);
  const [first] = sources;
  if (first === undefined) return 'gone';
  const matterHash = matterHashOf(candidate.type, memberOf(first), candidate.matter);
  const isNew = isNews(candidate.sources, await earlierOf(tx, matterHash));
  if (!isNew || (await isKnown(tx, candidate, first, policy, now))) return 'known';
  const gate = decide(gateFacts(candidate, sources, first, isSensitive), policy.gate.rules);
  const {
    candidates: _all,
    judged: _judged,
    calls: _calls,
    tokens: _tokens,
    useless: _useless,
    ...by
  } = found;
  const verdict: Verdict = {
    ...gate,
    draft: { ...candidate, ...by },
    matterHash,
    versions,
    sources,
  };
  return await writeVerdict(tx, verdict, judgement);
}

function versionsOf({ sources }: Candidate, { cards }: ReflectionBatch): Record<string, number> {
  const read = new Map(cards.map(({ id, version }) => [id, version]));
  return Object.fromEntries(sources.map((id) => [id, read.get(id) ?? 0]));
}

/** Whether a card says it already, or a skill goes the same way, whoever wrote it. */
async function isKnown(
  tx: Tx,
  candidate: Candidate,
  first: Episode,
  policy: Policy,
  now: Date,
): Promise<boolean> {
  switch (candidate.type) {
    case 'fact': {
      const { service, operation } = candidate;
      const known = await knownFacts(tx, { like: first, call: { service, operation }, now });
      return known.some((summary) => textSimilarity(summary, candidate.text) >= SAME);
    }
    case 'skill': {
      const { steps } = candidate.document;
      const skills = await skillsOfScope(tx, first.scope);
      const least = policy.learning.similarity;
      return skills.some(({ document }) => stepOverlap(document.steps, steps) >= least);
    }
    case 'link':
      return false;
    default:
      return candidate satisfies never;
  }
}

function gateFacts(
  candidate: Candidate,
  sources: readonly Episode[],
  first: Episode,
  isSensitive: (text: string) => boolean,
): GateFacts {
  const texts = textsOf(candidate);
  return {
    candidate: candidate.type,
    confidence: candidate.confidence,
    evidence: candidate.evidence,
    sources: candidate.agents,
    // A contradiction that is found is undecided by nature.
    openConflict:
      sources.some(({ conflicts }) => conflicts.some(({ open }) => open)) ||
      (candidate.type === 'link' && candidate.link === 'conflicts'),
    sensitive: first.subject !== null || texts.some(isSensitive),
    scope: first.scope.type,
    flags: texts.some((text) => looksLikeInstruction(text, 'told')) ? ['instruction_like'] : [],
  };
}
