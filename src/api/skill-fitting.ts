import type { SkillCase, SkillDocument } from '../contracts/skill';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { documentIn } from '../domain/skills/markdown-in';
import { markdownOf } from '../domain/skills/markdown-out';
import { skillMdIn, UnreadableSkill } from '../domain/skills/skill-md';
import { fitText } from '../intake/card-content';
import { redactionOf } from '../intake/redaction-of';
import { type NewSkillVersionBody, readDocumentSchema, skillMdSchema } from '../schemas/skill';
import type { WorkspaceSettings } from '../store/settings';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitContent } from './card-content';
import { isPerson } from './card-rights';
import { badRequest, Problem } from './problem';

/** A version as somebody wrote it, redacted and checked. */
export interface FitSkill {
  /** Of a SKILL.md; null of anything else. */
  name: string | null;
  description: string;
  document: SkillDocument;
  body: string;
  cases: SkillCase[];
  /** Whether its text reads like an instruction to whoever finds it. */
  flagged: boolean;
  /** All of its text, as the policy judges it. */
  text: string;
}

export type WrittenVersion = Pick<
  NewSkillVersionBody,
  'document' | 'body' | 'skill_md' | 'tests'
> & { description: string | undefined };

/**
 * What a caller wrote, fit to be kept: labels are checked, every text is redacted, and Markdown is read
 * only after that. A document becomes the Markdown of its parts, Markdown the document of its headings.
 * @throws Problem 400 where it is no SKILL.md, 422 where a label holds a secret or somebody's address.
 */
export function fitSkill(
  deps: ApiDependencies,
  caller: Caller,
  settings: WorkspaceSettings,
  written: WrittenVersion,
): FitSkill {
  const options = redactionOf(deps.secretKey, caller.context.workspace, settings);
  const kept = (text: string) => fitText(text, options);
  const labels = new Labels(deps, caller, settings);
  const file = written.skill_md === undefined ? null : fileIn(written.skill_md);
  const description = kept(file?.description ?? written.description ?? '');
  const given = file?.body ?? written.body;
  const parts =
    given === undefined
      ? fitDocument(documentOf(written, description), kept)
      : readDocument(kept(given), description);
  labels.check(parts.steps, '/document/steps');
  const body = given === undefined ? markdownOf(parts) : kept(given);
  const cases = written.tests.map((one, at) => fitCase(one, kept, labels, `/tests/${at}/trace`));
  const text = [description, body].join('\n');
  const flagged = looksLikeInstruction(text, isPerson(caller) ? 'request' : 'told');
  return { name: file?.name ?? null, description, document: parts, body, cases, flagged, text };
}

function fileIn(text: string) {
  try {
    const parsed = skillMdSchema.safeParse(skillMdIn(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw badRequest(`skill_md: its ${String(issue?.path[0])} ${issue?.message}`, '/skill_md');
  } catch (error) {
    if (!(error instanceof UnreadableSkill)) throw error;
    throw badRequest(`skill_md: ${error.message}`, '/skill_md');
  }
}

function documentOf({ document }: WrittenVersion, description: string): SkillDocument {
  if (document === undefined) throw badRequest('give one of document, body and skill_md');
  return { ...document, purpose: document.purpose ?? description };
}

/** A part that is longer than one may be is left to the body, which has it whole. */
function readDocument(body: string, description: string): SkillDocument {
  const read = documentIn(body, description);
  const parsed = readDocumentSchema.safeParse(read);
  if (parsed.success) return { ...parsed.data, purpose: parsed.data.purpose ?? description };
  return { purpose: description, preconditions: [], steps: [], failure_handling: [], causes: [] };
}

type Keep = (text: string) => string;

function fitDocument(document: SkillDocument, kept: Keep): SkillDocument {
  return {
    purpose: kept(document.purpose),
    preconditions: document.preconditions.map(kept),
    steps: document.steps.map((step) => ({ ...step, text: kept(step.text) })),
    failure_handling: document.failure_handling.map((one) => ({
      ...one,
      when: kept(one.when),
      then: kept(one.then),
      ...(one.error_signature === undefined ? {} : { error_signature: kept(one.error_signature) }),
    })),
    causes: document.causes.map(kept),
  };
}

function fitCase(one: SkillCase, kept: Keep, labels: Labels, pointer: string): SkillCase {
  if (one.kind === 'manual') {
    return {
      ...one,
      must_mention: one.must_mention.map(kept),
      must_not_mention: one.must_not_mention.map(kept),
    };
  }
  labels.check(one.trace, pointer);
  const fitted = (text: string | undefined) => (text === undefined ? undefined : kept(text));
  return {
    ...one,
    trace: one.trace.map(({ error_signature, what_changed, ...call }) => ({
      ...call,
      ...given('error_signature', fitted(error_signature)),
      ...given('what_changed', fitted(what_changed)),
    })),
  };
}

function given<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [one in Name]?: string };
}

/** Services and operations are compared, so they are checked as labels of an event are, and not redacted. */
class Labels {
  constructor(
    private readonly deps: ApiDependencies,
    private readonly caller: Caller,
    private readonly settings: WorkspaceSettings,
  ) {}

  check(
    calls: readonly { service?: string | undefined; operation?: string | undefined }[],
    pointer: string,
  ): void {
    calls.forEach(({ service, operation }, at) => {
      try {
        fitContent(this.deps, this.caller, this.settings, { hints: { service, operation } });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { status, code, detail } = error;
        throw new Problem(status, code, detail, { pointer: `${pointer}/${at}` });
      }
    });
  }
}
