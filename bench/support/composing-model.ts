import { clip } from '../../src/domain/distill/plain-text';
import {
  type FakeProvider,
  type ProviderRequest,
  startFakeProvider,
} from '../../test/support/fake-provider';

/** What the bench names as its model. */
export const COMPOSING_MODEL = 'composing';

/** A line of what a pass shows a model: `[3] (failed, open, 2 days ago, seen 4 times) …`. */
interface ShownLine {
  n: number;
  marks: string[];
  text: string;
}

const LINE = /^\[(\d+)\] \(([^)]*)\) (.*)$/;
const MOST_LESSONS = 8;
const MOST_FACTS = 20;
const LESSON_LENGTH = 240;
/** Records whose first words are the same are told as one. */
const ALIKE_WORDS = 4;
const CHARACTERS_A_TOKEN = 4;

/**
 * A local endpoint that speaks the OpenAI API and answers by rule: it is no language model and knows nothing. It
 * repeats the records that it is shown, those that begin alike once, and cites them; so a pass by a model can be
 * measured without one, with answers that are the same in every run. It answers at once, which no model does, and
 * counts four characters as a token. What its lessons are worth says nothing of what a model's would be.
 */
export async function startComposingModel(): Promise<FakeProvider> {
  const provider = await startFakeProvider();
  provider.answering((request) => {
    const answer = answerTo(request);
    if (answer === null) return { status: 400, body: { error: { message: 'not a pass' } } };
    const says = JSON.stringify(answer);
    const asked = (request.body.messages ?? []).map(({ content }) => content).join('\n');
    const usage = { prompt_tokens: tokensOf(asked), completion_tokens: tokensOf(says) };
    return {
      says,
      usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
    };
  });
  return provider;
}

function answerTo({ body }: ProviderRequest): object | null {
  const shape = (body.response_format as { json_schema?: { name?: string } } | undefined)
    ?.json_schema?.name;
  const shown = linesOf(body.messages?.at(-1)?.content ?? '');
  if (shape === 'wisdom_note') return { lessons: lessonsOf(shown) };
  if (shape === 'reflection') return { facts: factsOf(shown), links: [], skills: [] };
  return null;
}

function linesOf(prompt: string): ShownLine[] {
  return prompt.split('\n').flatMap((line) => {
    const [, n, marks = '', text = ''] = LINE.exec(line) ?? [];
    return n === undefined ? [] : { n: Number(n), marks: marks.split(', '), text };
  });
}

/** Records that begin alike in the words of the first of them; failures first, as they are shown. */
function lessonsOf(shown: readonly ShownLine[]): { text: string; sources: number[] }[] {
  const alike = groupedBy(shown, ({ marks, text }) =>
    [...marks.slice(0, 1), ...text.split(' ').slice(0, ALIKE_WORDS)].join(' '),
  );
  return alike.slice(0, MOST_LESSONS).map((group) => {
    const [first] = group;
    const times = group.reduce((sum, line) => sum + timesOf(line), 0);
    const open = group.some(({ marks }) => marks.includes('open')) ? 'Still open. ' : '';
    const count = times > 1 ? `Seen ${times} times. ` : '';
    const text = clip(`${open}${count}${first?.text ?? ''}`, LESSON_LENGTH);
    return { text, sources: group.map(({ n }) => n) };
  });
}

/** A reason that two or more failures of one step give in the same words. */
function factsOf(shown: readonly ShownLine[]) {
  const failures = shown.flatMap((line) => {
    const [, reason] = /It failed: ([^.]{10,150})\./.exec(line.text) ?? [];
    const step = line.marks.length > 3 ? line.marks[2] : undefined;
    return reason === undefined || step === undefined ? [] : { ...line, step, reason };
  });
  return groupedBy(failures, ({ step, reason }) => `${step}: ${reason}`)
    .filter((group) => group.length > 1)
    .slice(0, MOST_FACTS)
    .map((group) => ({
      text: `${group[0]?.step} fails where ${group[0]?.reason}.`,
      topic: group[0]?.step.split('.')[0] ?? null,
      sources: group.map(({ n }) => n),
      confidence: 0.8,
    }));
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

function timesOf({ marks }: ShownLine): number {
  const seen = marks.flatMap((mark) => /^seen (\d+) times$/.exec(mark)?.[1] ?? []);
  return Number(seen[0] ?? 1);
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}
