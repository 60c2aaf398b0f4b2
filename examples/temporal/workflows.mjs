import { proxyActivities } from '@temporalio/workflow';
import { cairn } from 'cairn-memory/temporal/workflow';

/** The agent's own tool: see agent.mjs. One try, since a limit is a limit. */
const { sendBulk } = proxyActivities({
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
});

/**
 * An agent that sends a newsletter, with what it learned the last time. Where a model would read the context,
 * this one looks for a number in it.
 */
export async function newsletter(recipients) {
  const memory = cairn({ agent: 'herald' });

  const query = `send a newsletter to ${recipients} recipients with mailer send_bulk`;
  const { context, cards } = await memory.recall({ query, intent: 'act' });
  const most = Number(/at most (\d+) recipients/.exec(context)?.[1] ?? recipients);

  const input = { recipients, batch: Math.min(most, recipients) };
  const done = await sendBulk(input).then(
    (output) => ({ outcome: 'worked', output }),
    (error) => ({ outcome: 'failed', error: error.cause?.message ?? 'unknown' }),
  );

  const step = { kind: 'service_call', service: 'mailer', operation: 'send_bulk', input };
  const { disposition, sign } = await memory.capture({ ...step, ...done, final: true });
  return { ...input, ...done, recalled: cards.length, disposition, sign };
}
