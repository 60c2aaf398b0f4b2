import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { CardScope } from '../contracts/card';
import type { Clock } from '../contracts/clock';
import type { DraftResult, PartInput } from '../contracts/consolidation';
import { type DigestLine, digestOf } from '../domain/consolidation/digest';
import type { Lesson } from '../domain/consolidation/lessons';
import { lessonsThatFit } from '../domain/consolidation/note-text';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { EPISODES_SHOWN, type WisdomWriter } from '../models/wisdom-writer';
import type { ModelLesson } from '../schemas/model-lessons';
import { sourcesNow } from '../store/card-writes-note';
import { keepPart, type NotePart, readPart } from '../store/consolidation-parts';
import type { Database } from '../store/database';
import { areAsRead } from '../store/filing-as-read';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import { exhausted, permanent, transient } from './failure';
import { askModel, redactorOf } from './model-calls';

export interface ConsolidationModelDependencies {
  database: Database;
  clock: Clock;
  /** Null where no model is configured: then the rules word the notes. */
  writer: WisdomWriter | null;
  /** Keys the tokens of a workspace, the same as at intake. */
  secretKey: string;
}

export interface ConsolidationModelActivities {
  /**
   * Leaves the words of a note by the model in Postgres. Heartbeats while it waits. Fails with a code of
   * `src/contracts/failures.ts`; a 429 names its own retry delay, and an answer of no use is asked for three times.
   */
  draftByModel(input: PartInput): Promise<DraftResult>;
}

/** Asking once more costs as much as the first time, and what fails thrice fails for the records it was shown. */
const USELESS_ANSWERS = 3;

interface Work {
  part: NotePart;
  lines: DigestLine[];
  settings: WorkspaceSettings;
}

/** No transaction is open while the model is asked. */
export function createConsolidationModelActivities(
  deps: ConsolidationModelDependencies,
): ConsolidationModelActivities {
  const { database, clock, writer } = deps;
  return {
    draftByModel: async ({ unit, part: name }) => {
      if (writer === null) throw permanent('model_not_configured');
      const { workspace, operation_id } = unit;
      const work = await database.inWorkspace(workspace, async (tx): Promise<Work | null> => {
        const part = await readPart<NotePart>(tx, operation_id, name);
        const settings = await readSettings(tx);
        if (part === null || part.done !== null || settings === null) return null;
        const sources = await sourcesNow(tx, part, clock());
        if (sources === null) return { part, lines: [], settings };
        return { part, lines: digestOf(sources, EPISODES_SHOWN, clock().getTime()), settings };
      });
      if (work === null) return { drafted: false, calls: 0, tokens: 0 };
      const { part, lines, settings } = work;
      const said =
        lines.length === 0
          ? null
          : await useful(() =>
              askModel((signal) =>
                writer.write(
                  { scope: nameOf(part.scope), topic: part.topic, episodes: lines },
                  signal,
                ),
              ),
            );
      const redact = redactorOf(deps.secretKey, workspace, settings);
      const lessons = lessonsThatFit(recheckLessons(said?.lessons ?? [], lines, redact));
      if (said !== null && lessons.length === 0) throw uselessAnswer();
      await database.inWorkspace(workspace, async (tx) => {
        const words: NotePart['words'] = {
          lessons,
          distilled_by: 'model',
          model: writer.model,
          prompt_version: writer.promptVersion,
        };
        // What the model was not shown is not told of, and waits for another night; what it was shown and no lesson
        // rests on is not retired: nothing takes its place.
        const shown = new Set(lines.flatMap(({ sources }) => sources));
        const told = new Set(lessons.flatMap(({ sources }) => sources));
        const sources =
          said === null
            ? part.sources
            : part.sources
                .filter(({ id }) => shown.has(id))
                .map((source) => ({ ...source, retires: source.retires && told.has(source.id) }));
        // Erased, or written again without what was erased, while the model was asked: nothing is kept of it.
        if (!(await areAsRead(tx, part.sources))) return;
        if ((await readPart(tx, operation_id, name)) === null) return;
        await keepPart(tx, operation_id, name, { ...part, sources, words }, clock());
      });
      const { calls = 0, tokens_in = 0, tokens_out = 0 } = said?.usage ?? {};
      return { drafted: true, calls, tokens: tokens_in + tokens_out };
    },
  };
}

function nameOf({ type, id }: CardScope): string {
  return `${type} ${id}`;
}

/** The model's words redacted once more, without those that speak to a reader as a planted instruction does. */
function recheckLessons(
  said: readonly ModelLesson[],
  lines: readonly DigestLine[],
  redact: (text: string) => string,
): Lesson[] {
  const sourcesOf = new Map(lines.map(({ n, sources }) => [n, sources]));
  return said.flatMap(({ text, sources }) => {
    const words = redact(text);
    if (looksLikeInstruction(words, 'told')) return [];
    return [{ text: words, sources: [...new Set(sources.flatMap((n) => sourcesOf.get(n) ?? []))] }];
  });
}

async function useful<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isUseless = error instanceof ApplicationFailure && error.type === 'model_invalid_output';
    throw isUseless ? uselessAnswer() : error;
  }
}

function uselessAnswer(): ApplicationFailure {
  return activityInfo().attempt < USELESS_ANSWERS
    ? transient('model_invalid_output')
    : exhausted('model_invalid_output');
}
