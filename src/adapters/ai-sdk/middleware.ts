import type { LanguageModelMiddleware } from 'ai';
import { type Connection, clientOf } from '../../client/connection';
import { given } from '../../client/given';
import type { SettledEvent } from '../../contracts/event';
import type { RecallAnswer, RecallRequest } from '../../contracts/recall';
import { Background } from './background';
import { observedStream } from './observed-stream';
import { onlyAsks } from './only-asks';
import { lastUserText, type Placement, withMemory, withoutMemory } from './prompt';
import { finishOf, type Part, type Prompt, tokensOf } from './shapes';
import { type About, type Call, type Ended, eventOf, isSettled, turnKeyOf } from './turn';

export interface CairnMiddlewareOptions extends Connection {
  /** Whose memory it is: it reads before each call and reports after it. An agent's own key says it by itself. */
  agent?: string;
  /** Of the events; each call may say its own in `providerOptions.cairn`, as of `subject` and `project`. */
  session?: string;
  /** Whom the conversation is about: nothing about others is recalled for it. An e-mail becomes a pseudonym. */
  subject?: string;
  project?: string;
  task?: string;
  /** What is recalled and where it stands; false recalls nothing. */
  recall?: false | RecallOptions;
  /** Which of the events that would be reported are; false reports none. Default: all. */
  capture?: boolean | ((event: SettledEvent) => boolean);
  /** Cairn was away, late, or refused; the call of the model went on. Default: nobody is told. */
  onError?(error: unknown, during: 'recall' | 'capture'): void;
  /** What was recalled for a call, for `feedback` or a log. */
  onRecall?(answer: RecallAnswer): void;
}

export interface RecallOptions
  extends Pick<RecallRequest, 'budget_tokens' | 'limit' | 'intent' | 'profile' | 'filters'> {
  /**
   * Milliseconds that a call of the model waits for its memory, 600 by default: a server waits 300 for the
   * query's vector and answers without it then. Raise it where the first calls after a start go without; the
   * conversation then waits that much longer while Cairn is away.
   */
  deadlineMs?: number;
  /** Default: `system`. */
  placement?: Placement;
}

const DEADLINE_MS = 600;
/** Characters of a query: its end, where a long message asks for something. */
const LONGEST_QUERY = 8_000;

export type CairnMiddleware = LanguageModelMiddleware & {
  /** Resolves when everything that was to be captured is kept, or was told to `onError`. */
  flush(): Promise<void>;
};

type Transform = NonNullable<LanguageModelMiddleware['transformParams']>;
type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type Params = Parameters<Transform>[0]['params'];
type Model = Parameters<WrapGenerate>[0]['model'];

/**
 * Memory for a model of the AI SDK: before each call it recalls what fits the user's last words, anew and
 * for this call alone, and after the call it reports in the background what the turn came to. Where Cairn
 * is away or late the call goes on without it.
 *
 * @example
 * const memory = cairnMiddleware({ url: 'http://127.0.0.1:4747', key, agent: 'concierge' });
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: memory });
 * const { text } = await generateText({ model, prompt: 'Book the usual room.' });
 * await memory.flush();
 */
export function cairnMiddleware(options: CairnMiddlewareOptions): CairnMiddleware {
  const client = clientOf(options);
  const { recall = {}, capture = true } = options;
  const chosen = typeof capture === 'function' ? capture : () => true;
  const wanted = (event: SettledEvent) => !onlyAsks(event) && chosen(event);
  const background = new Background(client, wanted, (error) => tell(error, 'capture'));

  // Whoever listens does not stop the conversation either.
  const tell = (error: unknown, during: 'recall' | 'capture'): void => {
    try {
      options.onError?.(error, during);
    } catch {
      // There is nobody left to tell.
    }
  };

  const remembered = async (params: Params): Promise<RecallAnswer | null> => {
    if (recall === false) return null;
    const { deadlineMs = DEADLINE_MS, placement: _, ...asked } = recall;
    const query = lastUserText(params.prompt as Prompt).trim();
    if (query === '') return null;
    const deadline = AbortSignal.timeout(deadlineMs);
    const signals = params.abortSignal === undefined ? [] : [params.abortSignal];
    try {
      const { session, subject: about } = aboutOf(options, params);
      const request = { ...asked, query: query.slice(-LONGEST_QUERY), ...given({ about }) };
      const speaker = session === undefined ? client : client.with({ session });
      const answer = await speaker.recall(request, {
        signal: AbortSignal.any([deadline, ...signals]),
      });
      options.onRecall?.(answer);
      return answer;
    } catch (error) {
      tell(error, 'recall');
      return null;
    }
  };

  const transformParams: Transform = async ({ params }) => {
    const prompt = withoutMemory(params.prompt as Prompt);
    const bare = { ...params, prompt: prompt as Params['prompt'] };
    const answer = await remembered(bare);
    if (answer === null) return bare;
    const placement = recall === false ? undefined : recall.placement;
    return {
      ...bare,
      prompt: withMemory(prompt, answer, placement ?? 'system') as Params['prompt'],
    };
  };

  const begun = (
    params: Params,
    { provider, modelId }: Model,
    operation: Call['operation'],
  ): ((ended: Ended) => void) => {
    if (capture === false) return () => {};
    const about = aboutOf(options, params);
    const call = { prompt: params.prompt as Prompt, provider, model: modelId, operation, about };
    const report = reporting(background, call);
    return (ended) => {
      try {
        report(ended);
      } catch (error) {
        tell(error, 'capture');
      }
    };
  };

  const isCancelled = (params: Params) => (error: unknown) =>
    params.abortSignal?.aborted === true || (error as Error | undefined)?.name === 'AbortError';

  const wrapGenerate: WrapGenerate = async ({ doGenerate, params, model }) => {
    const end = begun(params, model, 'generate');
    try {
      const result = await doGenerate();
      const content = result.content as readonly Part[];
      const { finishReason, usage } = result;
      end({ content, finish: finishOf(finishReason), tokens: tokensOf(usage) });
      return result;
    } catch (error) {
      end(failedBy(error, isCancelled(params)(error)));
      throw error;
    }
  };

  const wrapStream: WrapStream = async ({ doStream, params, model }) => {
    const end = begun(params, model, 'stream');
    try {
      const result = await doStream();
      const observed = { signal: params.abortSignal, isCancelled: isCancelled(params) };
      return { ...result, stream: observedStream(result.stream, end, observed) };
    } catch (error) {
      end(failedBy(error, isCancelled(params)(error)));
      throw error;
    }
  };

  return {
    specificationVersion: 'v3',
    transformParams,
    wrapGenerate,
    wrapStream,
    flush: () => background.flush(),
  };
}

/** Tells of the call once it ended; of a turn that goes on, once it is clear that it does not. */
function reporting(background: Background, call: Call): (ended: Ended) => void {
  const turn = turnKeyOf(call);
  const before = background.begin(turn);
  return (ended) => {
    const event = eventOf(call, ended, `ai-sdk/${crypto.randomUUID()}`, new Date());
    if (event === null) {
      if (before !== null) background.send(before);
    } else if (isSettled(ended)) background.send(event);
    else background.hold(turn, event);
  };
}

function failedBy(error: unknown, cancelled: boolean): Ended {
  const ended = { content: [], finish: 'error', tokens: {} };
  return cancelled ? { ...ended, finish: 'unknown', cancelled } : { ...ended, error };
}

/**
 * What a call says of itself counts before what the middleware was made with. Where no agent is named the key is
 * an agent's, and the server knows whose.
 */
function aboutOf(options: CairnMiddlewareOptions, params: Params): About {
  const { agent, session, subject, project, task } = options;
  const own = (params.providerOptions?.cairn ?? {}) as Record<string, unknown>;
  const said = (name: string) => (typeof own[name] === 'string' ? own[name] : undefined);
  return given({
    agent: agent ?? options.client?.agent,
    session: said('session') ?? session,
    subject: said('subject') ?? subject,
    project: said('project') ?? project,
    task: said('task') ?? task,
  }) as About;
}
