import type { Client } from '@temporalio/client';
import type { Registry } from 'prom-client';
import type { Clock } from '../contracts/clock';
import { Intake } from '../intake/intake';
import { Pseudonyms } from '../intake/pseudonyms';
import type { Embedder } from '../models/embedder';
import type { Database } from '../store/database';
import type { DurableFiles } from '../store/erasure-places';
import { settleUnheard } from '../store/pass-endings';
import { TemporalHistories } from '../store/temporal-histories';
import type { Log } from '../telemetry/logger';
import { type ApiDependencies, buildApp, type TemporalPlace } from './app';
import { DeliverySender } from './delivery-sender';
import { insightFollower } from './insight-follower';
import type { KnownNames } from './origin';
import { OutboxSender } from './outbox-sender';
import { proposalDecider } from './proposal-decider';
import { readiness } from './readiness';
import { StatisticsKeeper } from './statistics-keeper';
import { countStuckWorkflows } from './stuck-workflows';
import { timelineReader } from './timeline-reader';
import { workflowStarter } from './workflow-starter';

export interface ServerDependencies {
  database: Database;
  client: Client;
  /** The worker shares this process. */
  eager: boolean;
  clock: Clock;
  log: Log;
  secretKey: string;
  /** As in `ApiDependencies`. */
  languageModel?: ApiDependencies['languageModel'];
  embedder(): Embedder | null;
  /** As in `ApiDependencies`. */
  otherEmbedder?(model: string): Embedder | null;
  /** Of the workers, where they share this process. */
  workerMetrics?: Registry;
  /** Of the embedded database, where it is on this machine. */
  files?: DurableFiles;
  host: string;
  port: number;
  /** As in `ApiDependencies`. */
  knownNames?: KnownNames;
  /** As in `ApiDependencies`. */
  temporal?: TemporalPlace;
}

export interface Server {
  url: string;
  /** Takes no more requests, finishes those in hand, and then what the outbox has in hand. */
  stop(): Promise<void>;
}

/**
 * How long requests in hand may take once the server is to end; the longest that one waits for cards
 * is 30 s, of which it answers with what is there. A client that has stopped sending or reading would
 * hold the process for ever: Node looks after its timeouts only while it listens.
 */
const DRAIN_MS = 10_000;
/** How often connections without a request are closed meanwhile. */
const IDLE_MS = 100;

/** The API with its outbox senders. @throws where the port is taken; the message names it. */
export async function serve(deps: ServerDependencies): Promise<Server> {
  const { database, client, clock, log, secretKey } = deps;
  const sender = new OutboxSender({
    database,
    clock,
    log,
    send: workflowStarter(client, deps.eager, ({ workspace_id, workflow_id, action }) =>
      database.inWorkspace(workspace_id, (tx) =>
        settleUnheard(tx, workflow_id, action === 'cancel_pass', clock()),
      ),
    ),
  });
  const deliveries = new DeliverySender({ database, clock, log, secretKey });
  const app = await buildApp({
    database,
    clock,
    log,
    secretKey,
    intake: new Intake({ database, clock, secretKey }),
    pseudonyms: new Pseudonyms(secretKey),
    languageModel: deps.languageModel ?? null,
    embedder: deps.embedder,
    ...(deps.otherEmbedder === undefined ? {} : { otherEmbedder: deps.otherEmbedder }),
    host: deps.host,
    ...(deps.knownNames === undefined ? {} : { knownNames: deps.knownNames }),
    ...(deps.temporal === undefined ? {} : { temporal: deps.temporal }),
    decider: proposalDecider(client),
    follower: insightFollower(client),
    pokeOutbox: () => sender.poke(),
    pokeDeliveries: () => deliveries.poke(),
    readiness: () => readiness(database, client),
    stuckWorkflows: () => countStuckWorkflows(client),
    timelines: timelineReader(client),
    durable: { histories: new TemporalHistories(client), files: deps.files ?? null },
    ...(deps.workerMetrics === undefined ? {} : { workerMetrics: deps.workerMetrics }),
  });
  const url = await app.listen({ host: deps.host, port: deps.port });
  const statistics = new StatisticsKeeper(database, log, deps.clock);
  sender.start();
  deliveries.start();
  statistics.start();
  return {
    url,
    stop: async () => {
      const overdue = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
      // A connection that was busy when the server closed is kept alive for its client's next request.
      const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_MS);
      await app.close();
      clearTimeout(overdue);
      clearInterval(idle);
      await Promise.all([sender.stop(), deliveries.stop()]);
      await statistics.stop();
    },
  };
}
