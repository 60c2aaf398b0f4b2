import type { Skill } from '../contracts/skill';
import { skillSummary } from '../domain/skills/summary';
import type { NewSkillBody } from '../schemas/skill';
import { HELD_FOR } from '../store/card-holding';
import { lostKeyRace } from '../store/card-writes-linked';
import { addSkill } from '../store/card-writes-skill';
import type { Tx } from '../store/database';
import { readVersion } from '../store/skills';
import { skillsAmong } from '../store/skills-read';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitContent, settingsIn } from './card-content';
import { createCard, prepareCard } from './card-creating';
import { readerOf } from './card-rights';
import { type Asked, writeOnce } from './idempotency';
import { Problem } from './problem';
import { type FitSkill, fitSkill } from './skill-fitting';
import { logSkills } from './skill-reading';
import { requireSkillWritable } from './skill-rights';
import { skillOf } from './skill-view';

/**
 * Writes a skill with its card, once per `Idempotency-Key`. Its first version is in use at once, where it
 * passes the tests that come with it.
 * @throws Problem by rights, redaction, modes and policy as for a card; 409 where its scope has a skill of
 * that name; 422 with the results where it fails its own tests.
 */
export async function createSkill(
  deps: ApiDependencies,
  request: Asked,
  { name: given, description, scope: wanted, ...written }: NewSkillBody,
): Promise<Skill | { id: string }> {
  const { caller } = request;
  const { workspace } = caller.context;
  const settings = await deps.database.inWorkspace(workspace, settingsIn);
  const fit = fitSkill(deps, caller, settings, { ...written, description });
  const name = fitName(deps, caller, settings, given ?? fit.name ?? '');
  const prepared = await prepareCard(deps, request, {
    summary: skillSummary(name, fit.description, fit.document),
    kind: 'skill_lesson',
    sign: 'worked',
    hints: { service: onlyService(fit) },
    ...(wanted === undefined ? {} : { scope: wanted }),
  });
  const { scope } = prepared;
  const answer = await unlessNameTaken(() =>
    writeOnce(request, deps, {
      perform: async (tx) => {
        await requireSkillWritable(tx, caller, { ...fit, scope });
        const card = await createCard(tx, deps, caller, { ...prepared, beside: fit.text }, false);
        const now = deps.clock();
        const tested = await addSkill(tx, {
          cardId: card.id,
          name,
          version: versionBy(caller, fit),
          cases: fit.cases.map((one) => ({ case: one })),
          now,
        });
        if (!tested.mayBecomeCurrent) throw failsItsTests(tested.result.results);
        const skill = await skillAsWritten(tx, caller, card.id, 1, now);
        const body: Skill = card.reason === undefined ? skill : { ...skill, reason: HELD_FOR };
        return { status: 201, reference: { id: card.id }, body };
      },
      rebuild: (tx, { id }) => skillByCard(tx, caller, readerOf(caller, deps.clock), id, 1),
    }),
  );
  deps.pokeOutbox();
  if (answer.body === undefined) throw new Error('a skill was written without an answer');
  return answer.body;
}

/** A version as the API keeps it: by whoever wrote it, and from nothing that Cairn knows of. */
export function versionBy(caller: Caller, fit: FitSkill) {
  const { kind, id } = caller.context.principal;
  const { description, document, body, flagged } = fit;
  return {
    ...{ description, document, body, flagged },
    ...{ events: [], cards: [], run: null, model: null, promptVersion: null },
    writer: { kind, id },
  };
}

/** Who writes sees what they wrote, even where the agent they name would not. */
export async function skillAsWritten(
  tx: Tx,
  caller: Caller,
  cardId: string,
  version: number,
  now: Date,
): Promise<Skill> {
  const everything: ReaderArguments = [tx.workspace, null, null, true, null, now];
  const skill = await skillByCard(tx, caller, everything, cardId, version, false);
  if (skill === null) throw new Error('a skill vanished in the transaction that wrote it');
  return skill;
}

/** Null where the reader no longer sees it. */
export async function skillByCard(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  cardId: string,
  version: number,
  isLogged = true,
): Promise<Skill | null> {
  const [skill] = await skillsAmong(tx, reader, [cardId]);
  const row = await readVersion(tx, cardId, version);
  if (skill === undefined || row === null) return null;
  if (isLogged) await logSkills(tx, caller, reader, [skill]);
  return await skillOf(tx, caller, reader, skill, row);
}

/** The name is an identifier: checked as a key is, and not redacted. */
function fitName(
  deps: ApiDependencies,
  caller: Caller,
  settings: Awaited<ReturnType<typeof settingsIn>>,
  name: string,
): string {
  try {
    fitContent(deps, caller, settings, { key: name });
    return name;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.status, error.code, error.detail, { pointer: '/name' });
  }
}

/** What rules about services look at; a skill that uses several belongs to none of them. */
function onlyService({ document }: FitSkill): string | null {
  const services = new Set(document.steps.flatMap(({ service }) => service ?? []));
  return services.size === 1 ? ([...services][0] ?? null) : null;
}

function failsItsTests(results: readonly object[]): Problem {
  return new Problem(
    422,
    'tests_failed',
    'this skill fails tests that it came with; the results say which',
    { results },
  );
}

async function unlessNameTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!lostKeyRace(error)) throw error;
    throw new Problem(
      409,
      'name_taken',
      'this scope has a skill of that name: add a version to it, or choose another name',
      { pointer: '/name' },
    );
  }
}
