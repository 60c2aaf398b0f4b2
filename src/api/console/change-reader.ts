import type { SealHorizon } from '../../contracts/messages';
import { horizonState, markHorizon } from '../../store/audit-sealing';
import type { Tx } from '../../store/database';
import { auditAfter, type RunMark, runMarks } from '../../store/stream-changes';
import { Changes } from './changes';

/** Rows of the log at one look: more in a second is an import or a pass, and everything may have changed. */
const MOST_ROWS = 1_000;
/** Runs that are compared with what they were. A fleet that reports more in a second is told of without ids. */
const NEWEST_RUNS = 200;
/** Runs that go on beside those, looked at by their ids. */
const MOST_OPEN = 200;
/**
 * How far below the newest row a first look begins: a row may be under way that has its number already, and is
 * committed after those above it.
 */
const LOOK_BACK = 200;

/**
 * Goes on through what one workspace commits. A row of the log gets its number before it is committed, so that one
 * may appear below those that were read: what is not settled is read again, but for what was seen there.
 */
export class ChangeReader {
  /** The newest row that was seen. */
  seq = 0;
  /** Everything up to here has been told. */
  settled = 0;
  private seen = new Set<number>();
  private horizon: SealHorizon | null = null;
  private runs: ReadonlyMap<string, RunMark> = new Map();

  /** The first look: what is there is told to nobody. */
  async begin(tx: Tx): Promise<void> {
    this.horizon = await markHorizon(tx);
    this.seq = Number(this.horizon.audit);
    this.settled = Math.max(0, this.seq - LOOK_BACK);
    const rows = await auditAfter(tx, this.settled, [], MOST_ROWS);
    this.seen = new Set(rows.map(({ seq }) => seq));
    this.runs = marked(await runMarks(tx, NEWEST_RUNS, []));
  }

  /** What was committed since the last look. */
  async look(tx: Tx): Promise<Changes> {
    const changes = new Changes();
    await this.readLog(tx, changes);
    await this.readRuns(tx, changes);
    return changes;
  }

  /**
   * What somebody has missed who had read up to `seq`. Of runs nobody knows what they were then.
   * @param seq null where it cannot be read
   */
  async since(tx: Tx, seq: number | null): Promise<Changes> {
    const changes = new Changes();
    changes.addAny('runs', 'events');
    // A number from the future is of a database that was put back to an earlier day.
    if (seq === null || seq > this.seq) changes.addAll();
    else {
      const rows = await auditAfter(tx, seq, [], MOST_ROWS);
      for (const row of rows) changes.addRow(row);
      if (rows.length === MOST_ROWS) changes.addAll();
    }
    return changes;
  }

  private async readLog(tx: Tx, changes: Changes): Promise<void> {
    const { horizon } = this;
    const state = horizon === null ? null : await horizonState(tx, horizon);
    const rows = await auditAfter(tx, this.settled, [...this.seen], MOST_ROWS);
    for (const row of rows) {
      changes.addRow(row);
      this.seen.add(row.seq);
      this.seq = Math.max(this.seq, row.seq);
    }
    if (rows.length === MOST_ROWS) {
      changes.addAll();
      await this.begin(tx);
      return;
    }
    if (horizon !== null && state !== 'waiting') {
      // `foreign`: the database was moved meanwhile, and nothing of before is under way there.
      this.settled = Math.max(this.settled, Number(horizon.audit));
      this.seen = new Set([...this.seen].filter((seq) => seq > this.settled));
      this.horizon = null;
    }
    // Where nothing is new nothing is marked: it would cost a transaction id every second.
    if (this.horizon === null && this.seen.size > 0) this.horizon = await markHorizon(tx);
  }

  private async readRuns(tx: Tx, changes: Changes): Promise<void> {
    const open = [...this.runs.values()].filter(({ is_open }) => is_open).slice(0, MOST_OPEN);
    const now = await runMarks(
      tx,
      NEWEST_RUNS,
      open.map(({ id }) => id),
    );
    const changed = now.filter(({ id, mark }) => this.runs.get(id)?.mark !== mark);
    for (const run of changed) changes.addRun(run);
    if (changed.length >= NEWEST_RUNS) changes.addAny('runs', 'events');
    this.runs = marked(now);
  }
}

function marked(runs: readonly RunMark[]): ReadonlyMap<string, RunMark> {
  return new Map(runs.map((run) => [run.id, run]));
}
