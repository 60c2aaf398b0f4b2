import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { insightFollower } from '../../src/api/insight-follower';
import type { OutboxSender } from '../../src/api/outbox-sender';
import { proposalDecider } from '../../src/api/proposal-decider';
import { timelineReader } from '../../src/api/timeline-reader';
import type { SettledEvent } from '../../src/contracts/event';
import type { ProposalDetail, ProposalStatus } from '../../src/contracts/proposal';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import { createLogger } from '../../src/telemetry/logger';
import { Workers } from '../../src/worker/workers';
import { type Answer, type CallOptions, startApi, type TestApi } from './api';
import { startOutbox } from './outbox';
import { createDevServerEnv, workflowBundlePath } from './temporal';

/** Far longer than anything here takes; what is waited for is a state, never a time. */
const DEADLINE_MS = 60_000;
const PAUSE_MS = 50;

/** Keys of those who have a part in deciding; each is called by their id. */
export interface DecidingKeys {
  /** Reviewers. */
  rita: string;
  rolf: string;
  operator: string;
  auditor: string;
  member: string;
  /** Agents: `scout` and `mate` of team `red`, `stranger` of team `blue`. */
  scout: string;
  mate: string;
  stranger: string;
  runtime: string;
}

/**
 * Everything that decides, as it would run: the API with its outbox sender, a real Temporal, and the workers
 * of production, on one real Postgres.
 */
export class DecidingLane {
  private workers: Workers | null = null;
  private count = 0;

  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly api: TestApi,
    readonly keys: DecidingKeys,
    private readonly sender: OutboxSender,
  ) {}

  /** Without workers; `work` starts them. */
  static async start(): Promise<DecidingLane> {
    const env = await createDevServerEnv();
    let sender: OutboxSender | null = null;
    const api = await startApi({
      embedder: createHashedEmbedder(),
      decider: proposalDecider(env.client),
      follower: insightFollower(env.client),
      timelines: timelineReader(env.client),
      temporal: { ui: 'https://temporal.example.com/', namespace: env.namespace ?? 'default' },
      onPoke: () => sender?.poke(),
    });
    sender = startOutbox(api.database, env.client);
    return new DecidingLane(env, api, await makeKeys(api), sender);
  }

  async work(): Promise<void> {
    this.workers = await Workers.start({
      connection: this.env.nativeConnection,
      namespace: this.env.namespace ?? 'default',
      workflowBundle: workflowBundlePath(),
      database: this.api.database,
      clock: () => new Date(),
      log: createLogger('silent'),
      embedder: createHashedEmbedder(),
      distiller: null,
      drafter: null,
      secretKey: this.api.secretKey,
      connections: 5,
    });
  }

  async stop(): Promise<void> {
    await this.sender.stop();
    await this.workers?.stop();
    await this.api.close();
    await this.env.teardown();
  }

  /** @throws where the call is refused */
  async done(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: CallOptions = {},
  ): Promise<Answer> {
    const answer = await this.api.call(method, path, options);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer;
  }

  /** The card of settled work that `scout` did just now, by way of its capture. */
  async captured(fields: Partial<SettledEvent> = {}): Promise<string> {
    this.count += 1;
    const event: SettledEvent = {
      event_id: `lane-${this.count}`,
      kind: 'service_call',
      agent: 'scout',
      outcome: 'worked',
      occurred_at: new Date().toISOString(),
      ...fields,
    };
    const path = '/v1/events?wait_ms=30000';
    const { body } = await this.done('POST', path, { key: this.keys.runtime, body: event });
    const { card_id } = body.items[0];
    if (typeof card_id !== 'string') throw new Error(`no card: ${JSON.stringify(body)}`);
    return card_id;
  }

  /** A proposal of `scout` to show its card to its team. */
  async asked(card: string, body: Record<string, unknown> = {}, key = this.keys.scout) {
    const answer = await this.done('POST', `/v1/cards/${card}/promotion`, {
      key,
      body: { scope: { type: 'team', id: 'red' }, ...body },
    });
    return answer.body as { proposal_id: string; operation_id: string };
  }

  decide(id: string, body: Record<string, unknown>, options: CallOptions = {}): Promise<Answer> {
    const key = this.keys.rita;
    const path = `/v1/proposals/${id}/decision`;
    return this.api.call('POST', path, { key, body: { version: 1, ...body }, ...options });
  }

  async proposal(id: string): Promise<ProposalDetail> {
    return (await this.done('GET', `/v1/proposals/${id}`, { key: this.keys.auditor })).body;
  }

  /** Waits until it stands so. @throws where it never does */
  async standing(id: string, status: ProposalStatus): Promise<ProposalDetail> {
    return await this.until(id, (proposal) => proposal.status === status);
  }

  /** Waits until its workflow has begun. @throws where it never does */
  async begun(id: string): Promise<ProposalDetail> {
    return await this.until(id, ({ run_id }) => run_id !== null);
  }

  private async until(
    id: string,
    holds: (proposal: ProposalDetail) => boolean,
  ): Promise<ProposalDetail> {
    const until = Date.now() + DEADLINE_MS;
    for (;;) {
      const proposal = await this.proposal(id);
      if (holds(proposal)) return proposal;
      if (Date.now() > until) throw new Error(`${id} is ${JSON.stringify(proposal)}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** What the audit says of one thing, the oldest first. */
  async audited(target: string): Promise<{ action: string; changed: string[]; channel: string }[]> {
    const path = `/v1/audit?limit=500&target=${encodeURIComponent(target)}`;
    const { body } = await this.done('GET', path);
    return body.items.reverse();
  }
}

async function makeKeys(api: TestApi): Promise<DecidingKeys> {
  const person = async (id: string, role: string) => {
    await api.call('PUT', `/v1/people/${id}`, { body: { name: id, role } });
    return await api.keyFor({ kind: 'person', id });
  };
  for (const id of ['red', 'blue'])
    await api.call('PUT', `/v1/teams/${id}`, { body: { name: id } });
  const agent = async (id: string, team: string) => {
    await api.call('PUT', `/v1/agents/${id}`, { body: { team } });
    return await api.keyFor({ kind: 'agent', id });
  };
  return {
    rita: await person('rita', 'reviewer'),
    rolf: await person('rolf', 'reviewer'),
    operator: await person('oskar', 'operator'),
    auditor: await person('anna', 'auditor'),
    member: await person('max', 'member'),
    scout: await agent('scout', 'red'),
    mate: await agent('mate', 'red'),
    stranger: await agent('stranger', 'blue'),
    runtime: await api.keyFor({ kind: 'runtime', id: 'harness' }),
  };
}
