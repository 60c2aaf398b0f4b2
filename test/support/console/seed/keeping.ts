import { randomBytes } from 'node:crypto';
import type { Workspace } from '../workspace';

/** A card that was deleted and can be restored. */
export async function plantDeletedCard(workspace: Workspace): Promise<{ deleted: string }> {
  const { id } = await workspace.card({
    summary: 'The crane of pier two is out of order until Monday.',
  });
  await workspace.done('DELETE', `/v1/cards/${id}`);
  return { deleted: id };
}

/** A hold, and an erasure that ended, of a guest who left something. */
export async function plantErasure(
  workspace: Workspace,
  subject = `guest-${randomBytes(3).toString('hex')}`,
): Promise<{ erasure: string }> {
  await workspace.done('PUT', '/v1/legal-holds/claim-2026-14', {
    selector: { subject: 'customer:4711' },
    reason: 'Claim of the insurer, until it is settled',
  });
  await workspace.events([
    {
      event_id: `stay-${randomBytes(4).toString('hex')}`,
      kind: 'observation',
      agent: 'doorkeeper',
      subject,
      outcome: 'neutral',
      occurred_at: '2026-06-01T09:00:00Z',
      text: 'Asked for a room to the yard, and for a late breakfast.',
    },
  ]);
  const { erasure_id, operation_id } = await workspace.done('POST', '/v1/erasures', {
    selector: { subject },
    reason: 'Asked at the desk',
    legal_basis: 'GDPR Art. 17(1)(b)',
  });
  await workspace.ended(operation_id);
  return { erasure: erasure_id };
}

const TRACE = [
  { service: 'ferry', operation: 'list_sailings', outcome: 'worked' },
  { service: 'ferry', operation: 'book', outcome: 'worked' },
];

function stepsOf(...more: string[]) {
  return [
    { text: 'List the sailings of the day.', service: 'ferry', operation: 'list_sailings' },
    ...more.map((text) => ({ text })),
    { text: 'Book the earliest with room.', service: 'ferry', operation: 'book' },
  ];
}

/** A skill with two versions that were in use, and a third that is a step back. */
export async function plantSkill(workspace: Workspace): Promise<{ skill: string }> {
  const skill = 'book-a-ferry';
  const scope = { type: 'workspace', id: workspace.id };
  const preconditions = ['The crates are counted'];
  const description = 'Books room on a ferry for crates.';
  const version = async (n: number, steps: object[], failures: object[]) => {
    const document = { preconditions, steps, failure_handling: failures };
    const path = `/v1/skills/${skill}/versions`;
    await workspace.done('POST', path, { description, document });
    await workspace.done('POST', `${path}/${n}/test`, {});
  };
  await workspace.done('POST', '/v1/skills', {
    name: skill,
    description,
    scope,
    document: { preconditions, steps: stepsOf() },
    tests: [{ kind: 'origin', trace: TRACE }],
  });
  const full = { when: 'no sailing has room', then: 'split the crates over two sailings' };
  await version(2, stepsOf('Leave out sailings with hazardous freight.'), [full]);
  await version(3, [{ text: 'Book any sailing.', service: 'ferry', operation: 'book' }], [full]);
  return { skill };
}

/** A webhook that nobody answers, an agent that may not write, people of every role. */
export async function plantHouse(workspace: Workspace): Promise<void> {
  await workspace.person('operator', 'olu', 'Olu Adeyemi');
  await workspace.person('reviewer', 'rita', 'Rita Lindqvist');
  await workspace.person('auditor', 'aki', 'Aki Tanaka');
  await workspace.done('PUT', '/v1/agents/scraper', { writes_stopped: true });
  await workspace.done('PUT', '/v1/agents/concierge', { memory_mode: 'manual' });
  const { policy } = workspace.client();
  // Names are looked up, and a machine without a network can look up none but its own.
  await policy.put((await policy.get()).version, { webhooks: { allow_private: true } });
  await workspace.done('PUT', '/v1/webhooks/pager', {
    url: 'http://127.0.0.1:9/cairn',
    events: ['proposal.opened', 'run.failed'],
  });
}

/** A pass that was tried out, one that was made, and a sealed audit log. @returns the run that was made */
export async function plantRuns(workspace: Workspace): Promise<{ run: string }> {
  const asked = async (body: object) =>
    (await workspace.done('POST', '/v1/runs/consolidation', body)).operation_id as string;
  await workspace.ended(await asked({ dry_run: true }));
  const run = await asked({});
  await workspace.ended(run);
  const reflection = await workspace.done('POST', '/v1/runs/reflection', { dry_run: true });
  await workspace.ended(reflection.operation_id);
  return { run };
}

/** Questions that agents asked: what recalls and the access log are about. */
export async function plantRecalls(workspace: Workspace): Promise<void> {
  const key = await workspace.runtime();
  const asked: [agent: string, query: string, intent: string][] = [
    ['herald', 'send the newsletter to all readers', 'act'],
    ['clerk-bo', 'refund an order above the limit', 'act'],
    ['pager', 'the nightly backup fails at upload', 'plan'],
    ['probe', 'which dashboard shows the latency of checkout', 'look_up'],
  ];
  for (const [agent, query, intent] of asked) {
    await workspace.done('POST', '/v1/recall', { query, intent }, { key, agent });
  }
}
