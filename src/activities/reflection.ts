import type { Clock } from '../contracts/clock';
import type { UnitInput } from '../contracts/passes';
import type {
  Cursor,
  ReflectionFound,
  ReflectionJudged,
  ReflectionPlan,
  ReflectionStep,
  WatchLooked,
} from '../contracts/reflection';
import { durationMs } from '../domain/durations';
import { findCandidates } from '../domain/reflection/find';
import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import { maskPlaceholders } from '../redaction/placeholders';
import { redactText } from '../redaction/scanner';
import { workspaceTagger } from '../redaction/tags';
import { lookAtWatched } from '../store/card-writes-watched';
import type { Database } from '../store/database';
import { readReflected } from '../store/filing-reflection';
import { markRead } from '../store/reflected-scopes';
import { dropFound, type JudgedAs, keepFound, readFound } from '../store/reflection-found';
import { judgeCandidate } from '../store/reflection-judging';
import { planReflection } from '../store/reflection-planning';
import { policyOf, readSettings, type WorkspaceSettings } from '../store/settings';
import { executionOf } from './execution';

export interface ReflectionDependencies {
  database: Database;
  clock: Clock;
  embedder: Pick<Embedder, 'id'>;
  /** A model is configured: it looks, and the stand-in where it does not answer. */
  hasModel: boolean;
  /** Keys the tokens of a workspace, the same as at intake. */
  secretKey: string;
}

export interface ReflectionActivities {
  /** Looks whether outcomes turned against what was approved in the scope, and demotes it. */
  watchScope(unit: UnitInput): Promise<WatchLooked>;
  planReflection(unit: UnitInput): Promise<ReflectionPlan>;
  /** Leaves what the rules find in one batch to be judged. */
  reflectByRules(step: ReflectionStep): Promise<ReflectionFound>;
  /** Puts what was found in one batch through the gate, each candidate in a transaction of its own. */
  judgeFound(step: ReflectionStep): Promise<ReflectionJudged>;
  /** Says how far the scope was looked at. */
  endReflection(input: { unit: UnitInput; cursor: Cursor | null }): Promise<void>;
}

/** Each step may be tried again: what was committed is found, and not done twice. */
export function createReflectionActivities(deps: ReflectionDependencies): ReflectionActivities {
  const { database, clock, embedder, hasModel } = deps;
  return {
    watchScope: async ({ workspace, scope, operation_id, dry_run }) => {
      const { workflowId } = executionOf();
      const looked: WatchLooked = { watched: 0, demoted: 0 };
      for (let after: string | null = ''; after !== null; ) {
        const from: string = after;
        const batch = await database.inWorkspace(workspace, async (tx) => {
          const { demote_after } = (await policyOf(tx)).reflection;
          const look = { scope, demoteAfter: demote_after, operationId: operation_id, workflowId };
          return await lookAtWatched(tx, { ...look, dryRun: dry_run, now: clock() }, from);
        });
        looked.watched += batch.watched;
        looked.demoted += batch.demoted;
        after = batch.next;
      }
      return looked;
    },

    planReflection: (unit) =>
      database.inWorkspace(unit.workspace, (tx) =>
        planReflection(tx, unit, { byModel: hasModel, now: clock() }),
      ),

    reflectByRules: ({ unit, batch }) =>
      database.inWorkspace(unit.workspace, async (tx) => {
        const before = await readFound(tx, unit.operation_id, batch.n);
        if (before !== null && before.useless === null) {
          return { found: before.candidates.length, calls: 0, tokens: 0, useless: null };
        }
        const policy = await policyOf(tx);
        const ids = batch.cards.map(({ id }) => id);
        const at = { now: clock(), tieMs: durationMs(policy.resolve.tie) };
        const { cards, edges } = await readReflected(tx, ids, at);
        const read = new Map(batch.cards.map(({ id, version }) => [id, version]));
        const unmoved = cards.filter(({ id, version }) => read.get(id) === version);
        const candidates = findCandidates(unmoved, edges, policy.link);
        const by = { distilled_by: 'fallback', model: null, prompt_version: null } as const;
        const found = { ...by, candidates, judged: [], calls: 0, tokens: 0, useless: null };
        await keepFound(tx, unit.operation_id, batch.n, found, clock());
        return { found: candidates.length, calls: 0, tokens: 0, useless: null };
      }),

    judgeFound: async ({ unit, batch }) => {
      const settings = await database.inWorkspace(unit.workspace, readSettings);
      if (settings === null) throw new Error('a pass is of a workspace that exists');
      const isSensitive = sensitivity(deps.secretKey, unit.workspace, settings);
      const found = await database.inWorkspace(unit.workspace, (tx) =>
        readFound(tx, unit.operation_id, batch.n),
      );
      const judged: JudgedAs[] = [];
      for (let at = 0; ; at += 1) {
        const outcome = await database.inWorkspace(unit.workspace, (tx) =>
          judgeCandidate(tx, {
            operationId: unit.operation_id,
            ...executionOf(),
            batch,
            at,
            dryRun: unit.dry_run,
            makesVectors: makesVectors(embedder),
            isSensitive,
            now: clock(),
          }),
        );
        if (outcome === null) break;
        judged.push(outcome);
      }
      return tally(judged, found?.candidates.map(({ type }) => type) ?? []);
    },

    endReflection: ({ unit, cursor }) =>
      database.inWorkspace(unit.workspace, async (tx) => {
        await dropFound(tx, unit.operation_id);
        if (!unit.dry_run && cursor !== null) {
          await markRead(tx, unit.scope, cursor, unit.operation_id);
        }
      }),
  };
}

function tally(
  judged: readonly JudgedAs[],
  types: readonly ('fact' | 'link' | 'skill')[],
): ReflectionJudged {
  const of = (...wanted: JudgedAs[]) => judged.filter((one) => wanted.includes(one)).length;
  const approved = (type: string) =>
    judged.filter((one, at) => one === 'approved' && types[at] === type).length;
  return {
    facts: approved('fact'),
    links: approved('link'),
    skills: approved('skill'),
    rejected: of('rejected'),
    escalated: of('escalated'),
    known: of('known'),
    moved: of('moved', 'gone'),
  };
}

/** Whatever the policy keeps of contact data about subjects: it is sensitive all the same. */
function sensitivity(
  secretKey: string,
  workspace: string,
  { redactedNames }: WorkspaceSettings,
): (text: string) => boolean {
  const options = {
    tag: workspaceTagger(secretKey, workspace),
    keepContactData: false,
    names: redactedNames,
  };
  return (text) => maskPlaceholders(text) !== text || redactText(text, options).value !== text;
}
