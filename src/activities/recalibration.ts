import type { CardScope } from '../contracts/card';
import type { Clock } from '../contracts/clock';
import type { RecalibrationBatch, RecalibrationPart, UpkeepBatchInput } from '../contracts/upkeep';
import { driftOf } from '../domain/drift';
import type { Database, Tx } from '../store/database';
import { countFaded } from '../store/filing-fading';
import { outcomesBySpan } from '../store/filing-outcomes';
import { scopesInUse, scopesSwitchedOn } from '../store/filing-scopes';
import {
  type Asked,
  askAgain,
  type Look,
  proposeArchive,
  proposeMerges,
} from '../store/recalibrating';
import { recount } from '../store/rollup';
import { policyOf } from '../store/settings';
import { noteUpkeep, type UpkeepReason, upkeepCounts } from '../store/upkeep-counts';
import { whileHeartbeating } from './heartbeat';

export interface RecalibrationDependencies {
  database: Database;
  clock: Clock;
}

export interface RecalibrationActivities {
  /** A batch of reports or proposals, one transaction with the diff of the run; the counting, all of it at once. */
  recalibrateBatch(input: UpkeepBatchInput<RecalibrationPart>): Promise<RecalibrationBatch>;
}

/** Scopes of one transaction. */
const SCOPES = 10;
/** Conflicts of one transaction: each that is open is a proposal. */
const CONFLICTS = 200;
/** Of work whose success changed, so much is named. */
const MOST_DRIFT = 50;

type Input = UpkeepBatchInput<RecalibrationPart>;

/** What a batch found. */
interface Found {
  next: string | null;
  reason?: UpkeepReason;
  asked?: Asked[];
  more?: Partial<RecalibrationBatch>;
}

export function createRecalibrationActivities({
  database,
  clock,
}: RecalibrationDependencies): RecalibrationActivities {
  return {
    recalibrateBatch: async (input) => {
      const { unit, part } = input;
      if (part === 'recount') {
        return await whileHeartbeating((signal) => recountAll(database, input, signal));
      }
      return await database.inWorkspace(unit.workspace, async (tx) => {
        const { operation_id: operationId, dry_run: dryRun, day: month } = unit;
        const look: Look = { policy: await policyOf(tx), now: clock(), month, dryRun };
        const { next, reason, asked = [], more } = await PARTS[part](tx, look, input);
        if (reason !== undefined) {
          await noteUpkeep(tx, { operationId, dryRun, now: look.now }, linesOf(reason, asked));
        }
        const counts = { ...(await upkeepCounts(tx, operationId)), ...more?.counts };
        return { next, ...more, counts };
      });
    },
  };
}

/** A word is content: the place in between is kept here, and not in the workflow's history. */
async function recountAll(
  database: Database,
  { unit: { workspace, operation_id, dry_run } }: Input,
  signal: AbortSignal,
): Promise<RecalibrationBatch> {
  let words = 0;
  for (let after: string | null = dry_run ? null : ''; after !== null; ) {
    signal.throwIfAborted();
    const from: string = after;
    const { counted, next } = await database.inWorkspace(workspace, (tx) => recount(tx, from));
    words += counted;
    after = next;
  }
  const counts = await database.inWorkspace(workspace, (tx) => upkeepCounts(tx, operation_id));
  return { next: null, counts: { ...counts, words_counted: words } };
}

function linesOf(reason: UpkeepReason, asked: readonly Asked[]) {
  return asked.map(({ proposal, cards }) => ({
    change: 'proposed' as const,
    related: proposal === null ? cards : [proposal, ...cards],
    reason,
  }));
}

const PARTS: Readonly<
  Record<
    Exclude<RecalibrationPart, 'recount'>,
    (tx: Tx, look: Look, input: Input) => Promise<Found>
  >
> = {
  drift: async (tx, { policy, now }) => {
    const drift = driftOf(await outcomesBySpan(tx, now));
    const faded = await countFaded(tx, policy.recalibration.archive_below, now);
    const counts = { drifted: drift.length, faded };
    return { next: null, more: { drift: drift.slice(0, MOST_DRIFT), counts } };
  },

  archive: (tx, look, input) =>
    byScope(tx, input, 'archive', async (scope, most) => {
      const asked = await proposeArchive(tx, scope, look, most);
      return asked === null ? [] : [asked];
    }),

  duplicates: (tx, look, input) =>
    byScope(tx, input, 'duplicates', (scope, most) => proposeMerges(tx, scope, look, most)),

  contradictions: async (tx, look, { after }) => ({
    reason: 'contradiction',
    ...(await askAgain(tx, look, { after, limit: CONFLICTS })),
  }),
};

async function byScope(
  tx: Tx,
  { after, most }: Input,
  reason: UpkeepReason,
  ask: (scope: CardScope, most: number) => Promise<Asked[]>,
): Promise<Found> {
  const scopes = await scopesInUse(tx, scopeOf(after), SCOPES);
  const asked: Asked[] = [];
  let left = most ?? Number.MAX_SAFE_INTEGER;
  for (const scope of await scopesSwitchedOn(tx, scopes)) {
    const found = left > 0 ? await ask(scope, left) : [];
    left -= found.reduce((sum, { cards }) => sum + cards.length, 0);
    asked.push(...found);
  }
  const last = scopes.at(-1);
  const next = last === undefined || scopes.length < SCOPES ? null : `${last.type} ${last.id}`;
  return { next, reason, asked };
}

function scopeOf(after: string): CardScope | null {
  const at = after.indexOf(' ');
  if (at < 0) return null;
  return { type: after.slice(0, at) as CardScope['type'], id: after.slice(at + 1) };
}
