import type { StreamChange } from '../../contracts/console';
import { PERSON_ROLES } from '../../contracts/names';
import { type Listening, rolesNow } from '../../store/stream-changes';
import type { ApiDependencies } from '../app';
import type { Caller } from '../authentication';
import { codeOf } from '../error-code';
import { Polling } from '../polling';
import { ROUTE_RULES, refusalOf } from '../roles';
import { ChangeReader } from './change-reader';
import { topicsFor } from './topics';

/** Changes of a second are told together: a person sees no difference, and a page reads once. */
const EVERY_MS = 1_000;

export const STREAM_ROUTE = 'GET /v1/stream';

/** Where a workspace's log is. */
export interface Place {
  /** The newest row. */
  seq: number;
  /** Up to here nothing can come any more: from here one goes on after a connection is lost. */
  settled: number;
}

/** Somebody who is told what changes. */
export interface Listener {
  caller: Caller;
  /** Where they had come to; left out by who begins. Null where it cannot be read. */
  from?: number | null;
  /** From here on everything is told. */
  greet(place: Place): void;
  tell(change: StreamChange, place: Place): void;
  /** Nothing more comes: the session or key is over, or the server ends. */
  end(): void;
}

/** What one workspace commits, looked at once a second for all who listen, and only while somebody does. */
export class ChangeFeed {
  private readonly listeners = new Set<Listener>();
  private readonly reader = new ChangeReader();
  private readonly polling = new Polling(EVERY_MS, () => this.look());
  /** The database was away: nobody knows what was missed. */
  private hasMissed = false;
  private isFirst = true;

  constructor(
    private readonly deps: Pick<ApiDependencies, 'database' | 'clock' | 'log'>,
    private readonly workspace: string,
  ) {}

  get isUnheard(): boolean {
    return this.listeners.size === 0;
  }

  get hasStopped(): boolean {
    return this.polling.stopped.aborted;
  }

  /** Reads where the log is. @throws where the database is away */
  async begin(): Promise<void> {
    await this.deps.database.inWorkspace(this.workspace, (tx) => this.reader.begin(tx));
    this.polling.start();
  }

  add(listener: Listener): void {
    this.listeners.add(listener);
    listener.greet(this.place);
  }

  remove(listener: Listener): void {
    this.listeners.delete(listener);
  }

  /** Resolves when the look in hand has ended. */
  async stop(): Promise<void> {
    for (const listener of this.listeners) listener.end();
    this.listeners.clear();
    await this.polling.stop();
  }

  private get place(): Place {
    const { seq, settled } = this.reader;
    return { seq, settled };
  }

  private async look(): Promise<boolean> {
    // What is there has been read a moment ago.
    if (this.isFirst || this.isUnheard) {
      this.isFirst = false;
      return false;
    }
    try {
      await this.tellAll();
      this.hasMissed = false;
    } catch (error) {
      this.hasMissed = true;
      this.deps.log.warn({ code: codeOf(error) }, 'what changed could not be looked at');
    }
    return false;
  }

  private async tellAll(): Promise<void> {
    const listeners = [...this.listeners];
    const now = this.deps.clock();
    const { roles, changes, missed } = await this.deps.database.inWorkspace(
      this.workspace,
      async (tx) => {
        const read = await this.reader.look(tx);
        const late = new Map<Listener, typeof read>();
        for (const one of listeners) {
          if (one.from === undefined) continue;
          late.set(one, await this.reader.since(tx, one.from));
        }
        return {
          roles: await rolesNow(tx, listeners.map(listeningOf), now),
          changes: read,
          missed: late,
        };
      },
    );
    if (this.hasMissed) changes.addAll();
    const { place } = this;
    // Whoever came while this looked was greeted with where the log was before.
    for (const listener of [...this.listeners]) {
      const at = listeners.indexOf(listener);
      const caller = at < 0 ? listener.caller : withRole(listener.caller, roles[at] ?? null);
      if (caller === null) {
        this.remove(listener);
        listener.end();
        continue;
      }
      if (at < 0 && listener.from !== undefined) continue;
      const told = (missed.get(listener) ?? changes).for(topicsFor(caller));
      delete listener.from;
      if (told !== null) listener.tell({ seq: place.seq, ...told }, place);
    }
  }
}

function listeningOf({ caller }: Listener): Listening {
  return { keyId: caller.keyId, session: caller.consoleSession?.hash ?? null };
}

/** Somebody as they are now; null where they may not listen any more. */
function withRole(caller: Caller, name: string | null): Caller | null {
  const role = PERSON_ROLES.find((one) => one === name);
  const rule = ROUTE_RULES[STREAM_ROUTE];
  if (role === undefined || rule === undefined) return null;
  const { context } = caller;
  const now = { ...caller, context: { ...context, principal: { ...context.principal, role } } };
  return refusalOf(rule, now) === null ? now : null;
}
