import type { FactMessage } from '../../src/domain/conversation/facts';
import type { OpenAiChatOptions } from '../../src/models/openai-chat';
import { createOpenAiFactExtractor } from '../../src/models/openai-fact-extractor';
import { createOpenAiFailureReflector } from '../../src/models/openai-failure-reflector';
import { createOpenAiReflector } from '../../src/models/openai-reflector';
import { createOpenAiSkillWriter } from '../../src/models/openai-skill-writer';
import { createOpenAiSummaryWriter } from '../../src/models/openai-summary-writer';
import { createOpenAiWisdomWriter } from '../../src/models/openai-wisdom-writer';
import type { ReflectedCard } from '../../src/models/reflector';
import type { ToldStep } from '../../src/models/trace';
import type { ModelUsage } from '../../src/models/usage';
import type { LessonEpisode } from '../../src/models/wisdom-writer';

export function episode(fields: Partial<LessonEpisode> = {}): LessonEpisode {
  return {
    n: 1,
    sign: 'failed',
    age_days: 3,
    summary: 'Called mailer.send_batch with batch_size 180. It failed: the limit is 100 per batch.',
    resolved: false,
    times: 4,
    ...fields,
  };
}

export function reflectedCard(fields: Partial<ReflectedCard> = {}): ReflectedCard {
  return {
    n: 1,
    kind: 'constraint',
    sign: 'failed',
    summary: 'Called mailer.send_batch with batch_size 180. It failed: the limit is 100 per batch.',
    service: 'mailer',
    operation: 'send_batch',
    agents: 2,
    ...fields,
  };
}

export function traceStep(fields: Partial<ToldStep> = {}): ToldStep {
  return {
    n: 1,
    service: 'orders',
    operation: 'get_order',
    outcome: 'worked',
    summary: 'Read order 17 from orders.',
    ...fields,
  };
}

export const LESSON = {
  text: 'Send at most 100 addresses a batch with mailer.send_batch: 180 was refused 4 times, still open.',
  sources: [1],
};

export const FACT = {
  text: 'mailer.send_batch takes at most 100 addresses a batch.',
  topic: 'mailer limits',
  sources: [1, 2],
  confidence: 0.8,
};

export const LINK = {
  from: 2,
  to: 1,
  type: 'satisfies',
  confidence: 0.7,
  reason: 'batch_size 180 became 100',
};

export const SKILL = {
  name: 'change-an-order',
  purpose: 'Changes an open order; for requests to change what was ordered.',
  preconditions: ['The order is still open.'],
  steps: [
    { text: "Read the order by the order's number.", source: 1 },
    { text: 'Change it with the version that was read.', source: 2 },
  ],
  failure_handling: [
    {
      when: 'The version has moved on.',
      then: 'Read the order again.',
      source: 2,
    },
  ],
  causes: ['Somebody else changed the order meanwhile.'],
};

export const REFLECTION =
  'Read the order right before changing it, and send the version that was read.';

const TOLD = '2026-03-02 Marta: the shop in the Calle Real opens at 9:30.';

const SAID = { text: "Marta's favourite colour is green.", source: 1 };

function message(fields: Partial<FactMessage> = {}): FactMessage {
  return {
    ...{ n: 1, role: 'user', name: 'Marta', at: '2026-03-02T08:00:00.000Z' },
    content: 'My favourite colour is green.',
    ...fields,
  };
}

/** A model port, asked about two records, and an answer that fits. */
export interface PortCase {
  name: string;
  /** What the call gives beside its usage. */
  ask(
    options: OpenAiChatOptions,
    words: string,
    signal: AbortSignal,
  ): Promise<{ usage: ModelUsage }>;
  answer: Record<string, unknown>;
  /** A field that no answer of it can do without. */
  needs: string;
  /** The answer with other words where it has words at all. */
  saying(words: string): Record<string, unknown>;
}

/** Every port of a pass; the words go where a record has its words. */
export const PORTS: PortCase[] = [
  {
    name: 'the wisdom writer',
    ask: (options, summary, signal) =>
      createOpenAiWisdomWriter(options).write(
        { scope: 'team desk', topic: null, episodes: [episode(), episode({ n: 2, summary })] },
        signal,
      ),
    answer: { lessons: [LESSON] },
    needs: 'lessons',
    saying: (text) => ({ lessons: [{ ...LESSON, text }] }),
  },
  {
    name: 'the reflector',
    ask: (options, summary, signal) =>
      createOpenAiReflector(options).reflect(
        { cards: [reflectedCard(), reflectedCard({ n: 2, summary })], known: [summary] },
        signal,
      ),
    answer: { facts: [FACT], links: [LINK], skills: [{ ...SKILL, sources: [1] }] },
    needs: 'facts',
    saying: (text) => ({ facts: [{ ...FACT, text }], links: [], skills: [] }),
  },
  {
    name: 'the skill writer, scoring,',
    ask: (options, summary, signal) =>
      createOpenAiSkillWriter(options).score(
        [traceStep(), traceStep({ n: 2, summary })],
        ['refund-an-order', summary],
        signal,
      ),
    answer: { novelty: 8, reason_code: 'recovery' },
    needs: 'novelty',
    saying: (words) => ({ novelty: words }),
  },
  {
    name: 'the skill writer, writing,',
    ask: (options, summary, signal) =>
      createOpenAiSkillWriter(options).write(
        [traceStep(), traceStep({ n: 2, summary, error: summary })],
        signal,
      ),
    answer: { ...SKILL, description: 'Changes an open order.' },
    needs: 'steps',
    saying: (text) => ({ ...SKILL, description: text }),
  },
  {
    name: 'the failure reflector',
    ask: (options, summary, signal) =>
      createOpenAiFailureReflector(options).reflect(
        { goal: summary, status: 'failed', trace: [traceStep(), traceStep({ n: 2, summary })] },
        signal,
      ),
    answer: { reflection: REFLECTION },
    needs: 'reflection',
    saying: (reflection) => ({ reflection }),
  },
  {
    name: 'the summary writer',
    ask: (options, words, signal) =>
      createOpenAiSummaryWriter(options).write(
        {
          ...{ previous: words, must_keep: [words], budget_tokens: 500 },
          messages: [message(), message({ n: 2, content: words })],
        },
        signal,
      ),
    answer: { decisions: [], details: [TOLD], open_items: [], story: [] },
    needs: 'details',
    saying: (text) => ({ decisions: [], details: [text], open_items: [], story: [] }),
  },
  {
    name: 'the fact extractor',
    ask: (options, content, signal) =>
      createOpenAiFactExtractor(options).extract(
        { subject: 'Marta', messages: [message(), message({ n: 2, content })] },
        signal,
      ),
    answer: { facts: [SAID] },
    needs: 'facts',
    saying: (text) => ({ facts: [{ ...SAID, text }] }),
  },
];
