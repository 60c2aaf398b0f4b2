import type { Clock } from '../contracts/clock';
import type { ReflectionBatch, ReflectionFound, ReflectionStep } from '../contracts/reflection';
import { durationMs } from '../domain/durations';
import type { Candidate } from '../domain/reflection/candidate';
import { byTime, isWitness, type ReflectionCard } from '../domain/reflection/card';
import { movedSources } from '../domain/reflection/moved';
import { candidatesOf } from '../domain/reflection/said';
import { DistillerError } from '../models/distiller';
import type { Reflection, Reflector } from '../models/reflector';
import { type ModelUsage, NO_USAGE } from '../models/usage';
import { holdSources, readSources } from '../store/card-writes-episodes';
import type { Database, Tx } from '../store/database';
import { knownFacts, readReflected } from '../store/filing-reflection';
import { keepFound, readFound } from '../store/reflection-found';
import { KNOWN_SHOWN } from '../store/reflection-planning';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import { permanent } from './failure';
import { askModel, redactorOf } from './model-calls';

export interface ReflectionModelDependencies {
  database: Database;
  clock: Clock;
  /** Null where no model is configured: then every call fails for good and the stand-in looks. */
  reflector: Reflector | null;
  /** Keys the tokens of a workspace, the same as at intake. */
  secretKey: string;
}

export interface ReflectionModelActivities {
  /**
   * Leaves what the model finds in one batch to be judged. An answer of no use is told, with what it cost; what is
   * away fails with a code of `src/contracts/failures.ts`. Heartbeats while it waits.
   */
  reflectByModel(step: ReflectionStep): Promise<ReflectionFound>;
}

interface Work {
  cards: ReflectionCard[];
  known: string[];
  /** Those whom it is known to are those of this card. */
  like: ReflectionCard | null;
  settings: WorkspaceSettings;
}

/** No transaction is open while the model is asked. */
export function createReflectionModelActivities(
  deps: ReflectionModelDependencies,
): ReflectionModelActivities {
  const { database, clock, reflector } = deps;
  return {
    reflectByModel: async ({ unit, batch }) => {
      if (reflector === null) throw permanent('model_not_configured');
      const { workspace, operation_id } = unit;
      const before = await database.inWorkspace(workspace, (tx) =>
        readFound(tx, operation_id, batch.n),
      );
      if (before !== null) {
        const { candidates, calls, tokens, useless } = before;
        return { found: candidates.length, calls, tokens, useless };
      }
      const work = await database.inWorkspace(workspace, (tx) => readWork(tx, batch));
      const said = await ask(reflector, work);
      const { calls, tokens_in, tokens_out } = said.usage;
      const redact = redactorOf(deps.secretKey, workspace, work.settings);
      const all = candidatesOf(said.reflection, work.cards).map((one) => redacted(one, redact));
      const candidates = await database.inWorkspace(workspace, async (tx) => {
        const isTold = await isKnownStill(tx, work, clock());
        const left = isTold ? await withoutMoved(tx, all, batch, clock()) : [];
        await keepFound(
          tx,
          operation_id,
          batch.n,
          {
            candidates: left,
            judged: [],
            calls,
            tokens: tokens_in + tokens_out,
            useless: said.useless,
            distilled_by: 'model',
            model: reflector.model,
            prompt_version: reflector.promptVersion,
          },
          clock(),
        );
        return left;
      });
      const tokens = tokens_in + tokens_out;
      return { found: candidates.length, calls, tokens, useless: said.useless };
    },
  };

  async function readWork(tx: Tx, batch: ReflectionBatch): Promise<Work> {
    const settings = await readSettings(tx);
    if (settings === null) throw new Error('a pass is of a workspace that exists');
    const at = { now: clock(), tieMs: durationMs(settings.policy.resolve.tie) };
    const read = await readReflected(
      tx,
      batch.cards.map(({ id }) => id),
      at,
    );
    const versions = new Map(batch.cards.map(({ id, version }) => [id, version]));
    const cards = read.cards.filter(
      (card) => isWitness(card) && versions.get(card.id) === card.version,
    );
    const [like] = cards;
    const known = like === undefined ? [] : await knownFacts(tx, { like, call: null, now: at.now });
    return {
      cards: cards.sort(byTime),
      known: known.slice(0, KNOWN_SHOWN),
      like: like ?? null,
      settings,
    };
  }
}

interface Answer {
  reflection: Omit<Reflection, 'usage'>;
  usage: ModelUsage;
  useless: string | null;
}

const NOTHING: Omit<Reflection, 'usage'> = { facts: [], links: [], skills: [] };

/** What was paid for and was of no use is told, so that the budget is kept; what cost nothing is tried again. */
async function ask(reflector: Reflector, { cards, known }: Work): Promise<Answer> {
  if (cards.length < 2) return { reflection: NOTHING, usage: NO_USAGE, useless: null };
  const shown = cards.map((card, at) => ({
    n: at + 1,
    kind: card.kind,
    sign: card.sign,
    summary: card.summary,
    service: card.hints.service,
    operation: card.hints.operation,
    agents: 1,
  }));
  return await askModel(async (signal) => {
    try {
      const { usage, ...reflection } = await reflector.reflect({ cards: shown, known }, signal);
      return { reflection, usage, useless: null };
    } catch (error) {
      if (!(error instanceof DistillerError) || error.usage === null) throw error;
      return { reflection: NOTHING, usage: error.usage, useless: error.type };
    }
  });
}

function redacted(candidate: Candidate, redact: (text: string) => string): Candidate {
  const text = redact(candidate.text);
  if (candidate.type === 'link') return { ...candidate, text };
  if (candidate.type === 'fact') {
    return { ...candidate, text, topic: candidate.topic === null ? null : redact(candidate.topic) };
  }
  const { purpose, preconditions, steps, failure_handling, causes } = candidate.document;
  const document = {
    purpose: redact(purpose),
    preconditions: preconditions.map(redact),
    steps: steps.map((step) => ({ ...step, text: redact(step.text) })),
    failure_handling: failure_handling.map((one) => ({
      ...one,
      when: redact(one.when),
      then: redact(one.then),
    })),
    causes: causes.map(redact),
  };
  return { ...candidate, text, document };
}

/** Whether all that the model was told as known is still said: it may have put one of its statements in other words. */
async function isKnownStill(tx: Tx, { known, like }: Work, now: Date): Promise<boolean> {
  if (like === null || known.length === 0) return true;
  const said = new Set(await knownFacts(tx, { like, call: null, now }));
  return known.every((text) => said.has(text));
}

/** Erased or changed while the model was asked: nothing is kept of it. */
async function withoutMoved(
  tx: Tx,
  candidates: readonly Candidate[],
  batch: ReflectionBatch,
  now: Date,
): Promise<Candidate[]> {
  const ids = batch.cards.map(({ id }) => id).sort();
  await holdSources(tx, ids);
  const cards = await readSources(tx, ids, { now, tieMs: 0 });
  const versions = new Map(batch.cards.map(({ id, version }) => [id, version]));
  return candidates.filter(({ sources }) => {
    const read = Object.fromEntries(sources.map((id) => [id, versions.get(id) ?? 0]));
    return movedSources(read, cards, now.getTime()).length === 0;
  });
}
