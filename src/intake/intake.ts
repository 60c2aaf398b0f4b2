import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../contracts/clock';
import type { EventItem, Refused } from '../contracts/event';
import type { Principal } from '../contracts/principal';
import { admissionOf } from '../domain/admission';
import { classifyIdentifier } from '../redaction/identifier';
import type { RedactionOptions } from '../redaction/scanner';
import { idSchema } from '../schemas/event';
import { findAgents } from '../store/agents';
import { type Database, sqlState, type Tx } from '../store/database';
import {
  type EventToRecord,
  findRecorded,
  type RecordedEvent,
  recordEvents,
  reopenFailed,
  restartStuck,
} from '../store/event-recording';
import { endByFinalEvents, type Joiner, joinSessions } from '../store/sessions';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import { readStopped } from '../store/sources';
import { subjectsSwitchedOff } from '../store/subjects';
import { readErased } from './erased-of';
import { agentFor } from './event-agent';
import { workspaceHasher } from './hashing';
import { type PreparedEvent, type PreparedItem, prepareEvent } from './prepare';
import { redactionOf } from './redaction-of';
import { stopFor } from './stop-of';

export interface IntakeDependencies {
  database: Database;
  clock: Clock;
  secretKey: string;
}

/** Who reports: a runtime says whose work settled, an agent may only name itself. */
export interface Reporting {
  workspace: string;
  principal: Principal;
  /** Milliseconds for which the outbox leaves the captures to the reporter, who starts them; 0 when left out. */
  startAfterMs?: number;
}

interface Pending {
  index: number;
  prepared: PreparedEvent;
}

/** The one way in: clean, check, redact, decide, commit (design §5). */
export class Intake {
  constructor(private readonly deps: IntakeDependencies) {}

  /**
   * Records a batch in one transaction and answers item by item; a bad item never fails its batch.
   * Nothing is acknowledged before it is committed.
   * @throws when the database is out of reach; then nothing of the batch was kept.
   */
  async record(by: Reporting, raw: readonly unknown[]): Promise<EventItem[]> {
    const settings = await this.deps.database.inWorkspace(by.workspace, readSettings, 'once');
    if (settings === null) throw new Error('the workspace of this key is gone');
    const redaction = redactionOf(this.deps.secretKey, by.workspace, settings);
    const hasher = workspaceHasher(this.deps.secretKey, by.workspace);
    const ownAgent = by.principal.kind === 'agent' ? { agent: by.principal.id } : {};
    const items = await unhurried(raw, (item) =>
      prepareEvent(item, { workspace: by.workspace, ...ownAgent, hasher, redaction }),
    );
    const answers = items.map((item, index) => refusalAnswer(item, index, raw[index], redaction));
    const pending = items.flatMap(({ result }, index) =>
      'code' in result ? [] : [{ index, prepared: result }],
    );
    for (const [index, answer] of await this.commit(by, settings, pending)) answers[index] = answer;
    return answers.map((answer, index) => answer ?? missing(index));
  }

  /** A single item that the database itself refuses (a year before Christ, say) must not cost the others. */
  private async commit(
    by: Reporting,
    settings: WorkspaceSettings,
    pending: Pending[],
  ): Promise<Map<number, EventItem>> {
    if (pending.length === 0) return new Map();
    try {
      return await this.deps.database.inWorkspace(
        by.workspace,
        (tx) => this.commitIn(tx, by, settings, pending),
        'once',
      );
    } catch (error) {
      if (!isDataError(error)) throw error;
      const [only] = pending;
      if (pending.length === 1 && only !== undefined) {
        const detail = 'the database cannot hold a value of this event';
        return new Map([[only.index, refused(only, { code: 'invalid', detail })]]);
      }
      const answers = new Map<number, EventItem>();
      for (const item of pending) {
        for (const [index, answer] of await this.commit(by, settings, [item]))
          answers.set(index, answer);
      }
      return answers;
    }
  }

  private async commitIn(
    tx: Tx,
    by: Reporting,
    settings: WorkspaceSettings,
    pending: readonly Pending[],
  ): Promise<Map<number, EventItem>> {
    const now = this.deps.clock();
    const answers = new Map<number, EventItem>();
    const events = pending.map((item) => item.prepared.event);
    const known = await findRecorded(
      tx,
      events.map((event) => event.event_id),
    );
    const pendingStill = [...known.values()].filter(({ disposition }) => disposition === 'pending');
    await restartStuck(
      tx,
      pendingStill.map(({ event_id }) => event_id),
      now,
    );
    const agents = await findAgents(tx, [...new Set(events.map((event) => event.agent))]);
    const stopped = await readStopped(
      tx,
      by.principal,
      events.flatMap(({ service }) => service ?? []),
    );
    const hasher = workspaceHasher(this.deps.secretKey, by.workspace);
    const erasedOf = await readErased(tx, hasher, events);
    const stopOf = ({ event }: PreparedEvent) =>
      stopFor(event, agents.get(event.agent) ?? null, stopped);
    const failed = pending.filter(({ prepared }) => {
      const before = known.get(prepared.event.event_id);
      const isOver = before?.disposition === 'failed' || before?.was_stopped === true;
      return (
        isOver && before.content_hash.equals(prepared.contentHash) && stopOf(prepared) === null
      );
    });
    const reopened = await reopenFailed(
      tx,
      failed.map(({ prepared }) => prepared.event.event_id),
      now,
    );
    for (const id of reopened) {
      const before = known.get(id);
      if (before !== undefined) known.set(id, { ...before, disposition: 'pending' });
    }
    const subjects = events.flatMap((event) =>
      event.subject === undefined ? [] : [event.subject],
    );
    const silent = await subjectsSwitchedOff(tx, subjects);
    const fresh = new Map<string, { item: Pending; record: EventToRecord }>();

    for (const item of pending) {
      const { event } = item.prepared;
      // Before what is known of it: that may be about to go.
      const gone = erasedOf(event);
      if (gone !== null) {
        answers.set(item.index, refused(item, gone));
        continue;
      }
      const before = known.get(event.event_id);
      if (before !== undefined) {
        answers.set(item.index, repeated(item, before));
        continue;
      }
      const twin = fresh.get(event.event_id);
      if (twin !== undefined) {
        if (!twin.item.prepared.contentHash.equals(item.prepared.contentHash)) {
          answers.set(item.index, refused(item, ID_CONFLICT));
        }
        continue;
      }
      const stop = stopOf(item.prepared);
      if (stop !== null) {
        answers.set(item.index, refused(item, stop));
        continue;
      }
      const agent = await agentFor(tx, by, settings, item.prepared, agents, now);
      if ('code' in agent) {
        answers.set(item.index, refused(item, agent));
        continue;
      }
      const decision = admissionOf(
        event,
        {
          workspace: settings.memoryMode,
          agent: agent.memory_mode,
          subject: event.subject !== undefined && silent.has(event.subject) ? 'off' : 'on',
        },
        settings.policy,
      );
      fresh.set(event.event_id, { item, record: { ...item.prepared, ...decision } });
    }

    const records = [...fresh.values()].map((entry) => entry.record);
    const made = await recordEvents(tx, records, by.principal, now, by.startAfterMs);
    const kept = records.filter((record) => record.disposition === 'pending');
    await joinSessions(tx, kept.flatMap(joinerOf), now);
    // A delegation that came back ends what was delegated; its delegator goes on with the same board.
    const finals = records.filter(({ event }) => made.has(event.event_id) && event.final === true);
    await endByFinalEvents(tx, finals.flatMap(joinerOf), now);
    const raced = records.map((record) => record.event.event_id).filter((id) => !made.has(id));
    const winners = raced.length === 0 ? new Map() : await findRecorded(tx, raced);
    for (const item of pending) {
      if (answers.has(item.index)) continue;
      const id = item.prepared.event.event_id;
      const entry = fresh.get(id);
      const operation = made.get(id);
      const winner: RecordedEvent | undefined = winners.get(id);
      if (operation !== undefined && entry !== undefined) {
        answers.set(item.index, {
          event_id: id,
          operation_id: operation,
          workflow_id: item.prepared.workflowId,
          status: entry.item === item ? 'accepted' : 'duplicate',
          disposition: entry.record.disposition,
        });
      } else if (winner !== undefined) {
        answers.set(item.index, repeated(item, winner));
      }
    }
    return answers;
  }
}

/** A batch of 32 MiB takes seconds to redact: others are let in between, about as often as this. */
const TURN_MS = 20;

/** `map`, a turn of the event loop at a time. */
export async function unhurried<T, U>(items: readonly T[], make: (item: T) => U): Promise<U[]> {
  const made: U[] = [];
  let turn = performance.now();
  for (const item of items) {
    made.push(make(item));
    if (performance.now() - turn < TURN_MS) continue;
    await setImmediate();
    turn = performance.now();
  }
  return made;
}

function joinerOf({ event }: EventToRecord): Joiner[] {
  return event.session === undefined ? [] : [{ id: event.session, agent: event.agent }];
}

const ID_CONFLICT: Refused = {
  code: 'event_id_conflict',
  pointer: '/event_id',
  detail: 'this id was used before for other content; give the new event an id of its own',
};

function repeated(item: Pending, before: RecordedEvent): EventItem {
  if (!before.content_hash.equals(item.prepared.contentHash)) return refused(item, ID_CONFLICT);
  return {
    event_id: before.event_id,
    operation_id: before.operation_id,
    workflow_id: before.workflow_id,
    status: 'duplicate',
    disposition: before.disposition,
    ...(before.card_id === null ? {} : { card_id: before.card_id }),
  };
}

function refused(item: Pending, reason: Refused): EventItem {
  return { event_id: item.prepared.event.event_id, index: item.index, status: 'refused', reason };
}

/** A refused item is known by its index, and by its id where that is fit to be repeated. */
function refusalAnswer(
  item: PreparedItem,
  index: number,
  raw: unknown,
  redaction: RedactionOptions,
): EventItem | null {
  if (!('code' in item.result)) return null;
  const id = echoable(raw, redaction);
  return {
    ...(id === null ? {} : { event_id: id }),
    index,
    status: 'refused',
    reason: item.result,
  };
}

function echoable(raw: unknown, redaction: RedactionOptions): string | null {
  const id = typeof raw === 'object' && raw !== null && 'event_id' in raw ? raw.event_id : null;
  const parsed = idSchema.safeParse(id);
  if (!parsed.success) return null;
  const { secret, contact } = classifyIdentifier(parsed.data, redaction);
  return secret || contact !== null ? null : parsed.data;
}

function missing(index: number): EventItem {
  throw new Error(`item ${index} of a batch was left without an answer`);
}

/** Class 22: a value that Postgres cannot represent. */
function isDataError(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') ?? false;
}
