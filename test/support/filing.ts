import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { type CaptureActivities, createCaptureActivities } from '../../src/activities/capture';
import type { SettledEvent } from '../../src/contracts/event';
import type { CapturedAtOnce, CaptureInput, CaptureResult } from '../../src/contracts/messages';
import { captureWorkflowId } from '../../src/contracts/workflow-ids';
import { Intake } from '../../src/intake/intake';
import type { Embedder } from '../../src/models/embedder';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import { startApi, type TestApi } from './api';

/** A clock that stands still until it is told to move on. */
export class TestClock {
  private at: number;

  constructor(start: string) {
    this.at = Date.parse(start);
  }

  readonly now = (): Date => new Date(this.at);

  /** RFC 3339. */
  text(): string {
    return this.now().toISOString();
  }

  set(time: string): void {
    this.at = Date.parse(time);
  }

  advance(milliseconds: number): void {
    this.at += milliseconds;
  }
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Reporter {
  kind: 'runtime' | 'agent' | 'person';
  id: string;
}

export interface FilingOptions {
  api: TestApi;
  clock: TestClock;
  workspace?: string;
  embedder?: Embedder;
}

/**
 * Events become cards as in production, without Temporal: the real intake records them, then the steps
 * of the capture workflow run one after the other on the real database.
 */
export class Filing {
  readonly workspace: string;
  private readonly intake: Intake;
  private readonly steps: CaptureActivities;
  private count = 0;

  constructor(private readonly options: FilingOptions) {
    const { api, clock } = options;
    this.workspace = options.workspace ?? 'default';
    this.intake = new Intake({
      database: api.database,
      clock: clock.now,
      secretKey: api.secretKey,
    });
    this.steps = createCaptureActivities({
      database: api.database,
      clock: clock.now,
      embedder: options.embedder ?? createHashedEmbedder(),
      distiller: 'fallback',
    });
  }

  /**
   * Files one event; what is left out is that of a call of `scout` that worked just now.
   * @returns the capture's own record; its `card_id` is the card.
   */
  async file(
    fields: Partial<SettledEvent>,
    reporter: Reporter = { kind: 'runtime', id: 'harness' },
  ): Promise<CaptureResult> {
    this.count += 1;
    const event: SettledEvent = {
      event_id: `event-${this.count}`,
      kind: 'service_call',
      agent: 'scout',
      outcome: 'worked',
      occurred_at: this.options.clock.text(),
      ...fields,
    };
    const by = {
      workspace: this.workspace,
      principal: { ...reporter, role: null, bootstrap: false },
    };
    const [item] = await this.intake.record(by, [event]);
    if (item?.status !== 'accepted' || item.operation_id === undefined) {
      throw new Error(`not accepted: ${JSON.stringify(item)}`);
    }
    return await this.capture({
      workspace: this.workspace,
      event_id: event.event_id,
      operation_id: item.operation_id,
    });
  }

  /** The id of the card that the event became. */
  async card(fields: Partial<SettledEvent>, reporter?: Reporter): Promise<string> {
    const { card_id } = await this.file(fields, reporter);
    if (card_id === null) throw new Error('the event was not carded');
    return card_id;
  }

  /** The first step of a capture of an event that was recorded, whatever comes of it. */
  async atOnce(key: Omit<CaptureInput, 'workspace'>): Promise<CapturedAtOnce> {
    const { workspace } = this;
    const environment = new MockActivityEnvironment({
      workflowExecution: {
        workflowId: captureWorkflowId(workspace, key.event_id),
        runId: randomUUID(),
      },
    });
    const { captureAtOnce } = this.steps;
    return await environment.run(captureAtOnce, { ...key, workspace, stand_in: false });
  }

  async capture(key: CaptureInput): Promise<CaptureResult> {
    const { admission, filed } = await this.atOnce(key);
    if (admission.decision !== 'admit' || filed === null) {
      throw new Error(`not admitted: ${admission.decision} ${admission.reason}`);
    }
    return filed;
  }
}

/** An app, a clock that both it and the filing follow, and an agent `scout` with its own key. */
export interface RecallLane {
  api: TestApi;
  clock: TestClock;
  filing: Filing;
  /** Recalls as `scout`, through a runtime's key, unless the headers say otherwise. */
  recall(body: Record<string, unknown>, headers?: Record<string, string>): Promise<RecallReply>;
  /** A runtime's key. */
  runtimeKey: string;
  close(): Promise<void>;
}

export interface RecallReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
  body: any;
}

export const LANE_START = '2026-03-02T08:00:00.000Z';

/** @param embedder null leaves the app without one; cards get their vectors all the same. */
export async function startRecallLane(
  embedder: Embedder | null = createHashedEmbedder(),
): Promise<RecallLane> {
  const clock = new TestClock(LANE_START);
  const api = await startApi({ clock: clock.now, ...(embedder === null ? {} : { embedder }) });
  const runtimeKey = await api.keyFor({ kind: 'runtime', id: 'harness' });
  return {
    api,
    clock,
    filing: new Filing({ api, clock }),
    runtimeKey,
    recall: async (body, headers = {}) => {
      const { status, body: answer } = await api.call('POST', '/v1/recall', {
        key: runtimeKey,
        headers: { 'cairn-agent': 'scout', ...headers },
        body,
      });
      return { status, body: answer };
    },
    close: () => api.close(),
  };
}

/** Ids of an answer's cards, in the answer's order. */
export function cardIds(reply: RecallReply): string[] {
  return reply.body.cards.map((card: { id: string }) => card.id);
}

/** What a recall left out, by reason. */
export function droppedFor(reply: RecallReply, reason: string): { id: string; winner?: string }[] {
  return reply.body.dropped.filter((card: { reason: string }) => card.reason === reason);
}
