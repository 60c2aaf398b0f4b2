import type {
  DraftResult,
  PartInput,
  PartOutcome,
  PlanBatch,
  PlanInput,
} from '../contracts/consolidation';
import { lessonsOf } from '../domain/consolidation/lessons';
import { lessonsThatFit } from '../domain/consolidation/note-text';
import { makesVectors } from '../models/no-embedder';
import type { CardVector } from '../store/card-writes';
import { commitNote } from '../store/card-writes-consolidated';
import { commitMerge } from '../store/card-writes-merged';
import { type PartCommit, sourcesNow, textOfNote } from '../store/card-writes-note';
import { isModelAway, planScope } from '../store/consolidation';
import { keepPart, type NotePart, nextParts, readPart } from '../store/consolidation-parts';
import type { WordingDependencies } from './dependencies';
import { embedWithin } from './embedding';
import { executionOf } from './execution';

export interface ConsolidationActivities {
  /** Plans the scope where it is not planned yet, and names the next parts. */
  planScope(input: PlanInput): Promise<PlanBatch>;
  /** Finds the words of a note by the rules. */
  draftByRules(input: PartInput): Promise<DraftResult>;
  /** Files a note or a merge and retires what it was made from, in one transaction. */
  commitPart(input: PartInput): Promise<PartOutcome>;
}

/** Parts named at once; a workflow carries their names and counts alone. */
const PARTS = 25;
/** The note is found by its words meanwhile; what comes later is the `embed` workflow's. */
const EMBEDDING_DEADLINE_MS = 2_000;
/** Goes into a note's provenance; raised when the rules word it otherwise. */
const RULES_VERSION = 'lessons-by-rules/1';

export function createConsolidationActivities(deps: WordingDependencies): ConsolidationActivities {
  const { database, clock, embedder, hasModel } = deps;
  return {
    planScope: ({ unit, after }) =>
      database.inWorkspace(unit.workspace, async (tx) => {
        const counts = await planScope(tx, unit, clock());
        const parts = await nextParts(tx, unit.operation_id, after, PARTS);
        const away = hasModel && (await isModelAway(tx, unit));
        return {
          parts,
          next: parts.length < PARTS ? null : (parts.at(-1)?.part ?? null),
          model: !hasModel ? 'none' : away ? 'away' : 'asked',
          read: counts.read,
          waiting: counts.waiting,
        };
      }),

    draftByRules: ({ unit, part: name }) =>
      database.inWorkspace(unit.workspace, async (tx) => {
        const nothing = { drafted: false, calls: 0, tokens: 0 };
        const part = await readPart<NotePart>(tx, unit.operation_id, name);
        if (part === null || part.done !== null) return nothing;
        const sources = await sourcesNow(tx, part, clock());
        // Where one is gone already, the commit names it.
        const lessons = sources === null ? [] : lessonsThatFit(lessonsOf({ sources }));
        // What the note has no room for is not retired with it, and is another night's.
        const told = new Set(lessons.flatMap((lesson) => lesson.sources));
        const kept = part.sources.filter(({ id }) => sources === null || told.has(id));
        const words: NotePart['words'] = {
          lessons,
          distilled_by: 'fallback',
          model: null,
          prompt_version: RULES_VERSION,
        };
        await keepPart(tx, unit.operation_id, name, { ...part, sources: kept, words }, clock());
        return { ...nothing, drafted: true };
      }),

    commitPart: async ({ unit, part }) => {
      const { workspace } = unit;
      const commit: PartCommit = {
        operationId: unit.operation_id,
        ...executionOf(),
        part,
        day: unit.day,
        dryRun: unit.dry_run,
        now: clock(),
        makesVectors: makesVectors(embedder),
        vector: null,
      };
      const kind = await database.inWorkspace(workspace, async (tx) => {
        const found = await readPart(tx, unit.operation_id, part);
        return found?.kind ?? null;
      });
      if (kind === 'merge') {
        return await database.inWorkspace(workspace, (tx) => commitMerge(tx, commit));
      }
      const vector = unit.dry_run ? null : await vectorOf(workspace, commit);
      return await database.inWorkspace(workspace, (tx) => commitNote(tx, { ...commit, vector }));
    },
  };

  /** No transaction is open while the embedder works. */
  async function vectorOf(workspace: string, commit: PartCommit): Promise<PartCommit['vector']> {
    const text = await database.inWorkspace(workspace, (tx) => textOfNote(tx, commit));
    if (text === null) return null;
    const values = await embedWithin(embedder, text, EMBEDDING_DEADLINE_MS);
    if (values === null) return null;
    const of: CardVector = { model: embedder.id, dims: embedder.dims, values };
    return { text, of };
  }
}
