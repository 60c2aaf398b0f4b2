import { readOptions } from '../../src/config/options';
import type { SettledEvent } from '../../src/contracts/event';
import { locateMiniLm } from '../../src/embedded/fetch';
import { configuredEmbedder } from '../../src/models/configured';
import type { Embedder } from '../../src/models/embedder';
import { fetchOptions } from '../../test/support/programs';

export async function miniLm(): Promise<Embedder> {
  return await configuredEmbedder(
    readOptions(),
    () => locateMiniLm(fetchOptions()),
    () => {},
  );
}

/** What agents are about to do, each another text: nobody's cache knows it. */
export function aboutTo(events: readonly SettledEvent[], count: number, salt = ''): string[] {
  return Array.from({ length: count }, (_, n) => {
    const event = events[(n * 37) % events.length];
    const input = JSON.stringify(event?.input ?? event?.text ?? '').slice(0, 80);
    return `${salt}${n}: about to ${event?.operation ?? 'answer'} on ${event?.service ?? 'chat'} with ${input}`;
  });
}

/**
 * Asks as an agent, or as the person who sees all.
 * @throws where the answer is no success
 */
export async function ask(
  url: string,
  key: string,
  body: unknown,
  agent: string | null,
): Promise<{ ms: number; body: Record<string, unknown> }> {
  const from = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(agent === null || !url.includes('/v1/') ? {} : { 'cairn-agent': agent }),
    },
    body: JSON.stringify(body),
  });
  const parsed = (await answer.json()) as Record<string, unknown>;
  const ms = performance.now() - from;
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(parsed)}`);
  return { ms, body: parsed };
}
