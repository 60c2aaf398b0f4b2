import type { StepFailure, StepKind, StepStatus, TimelineStep } from '../../contracts/timeline';

/** Families of Temporal's events: what begins under an id of its family ends under the same. */
export type Family = 'activity' | 'timer' | 'child' | 'update';

interface Open {
  step: TimelineStep;
  /** Of Temporal's events: what is earlier comes first where two steps begin at once. */
  n: number;
}

interface Ending {
  at: string;
  status: StepStatus;
  failure?: StepFailure | null;
  ids?: readonly string[];
}

/** Steps as they are read, in whatever order their ends come. */
export class StepLog {
  private readonly steps: Open[] = [];
  private readonly open = new Map<string, Open>();
  /** Ids that stand at the beginning: a step repeats none of them. */
  private known: readonly string[] = [];
  private began = '';

  /** What happens at once, or what has both its times. Nothing is before the beginning, whatever a clock says. */
  add(n: number, step: Pick<TimelineStep, 'at' | 'kind' | 'name'> & Partial<TimelineStep>): void {
    const at = compared(step.at, this.began) < 0 ? this.began : step.at;
    const end = step.ended_at === undefined ? at : step.ended_at;
    const whole: TimelineStep = {
      status: 'done',
      attempts: 1,
      failure: null,
      detail: null,
      ...step,
      at,
      ended_at: end !== null && end < at ? at : end,
    };
    this.steps.push({ step: whole, n });
  }

  /** Said once, at the beginning: what the run is about. */
  begins(n: number, at: string, name: string, ids: readonly string[]): void {
    this.known = ids;
    this.began = at;
    this.add(n, { at, kind: 'started', name, detail: listed(ids) });
  }

  opens(
    family: Family,
    id: string,
    n: number,
    { at, name, ids = [] }: { at: string; name: string; ids?: readonly string[] },
  ): void {
    const kind: StepKind = family;
    const detail = listed(this.newOf(ids));
    this.add(n, { at, ended_at: null, kind, name, status: 'waiting', detail });
    const open = this.steps.at(-1);
    if (open !== undefined) this.open.set(`${family} ${id}`, open);
  }

  /** Of one that goes on: how often it was tried, and why the try before failed. */
  tried(family: Family, id: string, attempts: number, failure: StepFailure | null): void {
    const open = this.open.get(`${family} ${id}`);
    if (open !== undefined) Object.assign(open.step, { attempts, failure });
  }

  /** What ended that never began stands in a part of the history that was not read. */
  closes(family: Family, id: string, { at, status, failure, ids = [] }: Ending): void {
    const key = `${family} ${id}`;
    const open = this.open.get(key);
    if (open === undefined) return;
    this.open.delete(key);
    const { step } = open;
    step.ended_at = at;
    step.status = status;
    // What failed before and went well in the end keeps the reason of its last failure.
    if (failure !== undefined) step.failure = failure;
    if (ids.length > 0) step.detail = listed([...split(step.detail), ...this.newOf(ids)]);
  }

  /** The run is over: what waited then waits no more. */
  drops(at: string): void {
    for (const { step } of this.open.values()) {
      Object.assign(step, { ended_at: at, status: 'cancelled' });
    }
    this.open.clear();
  }

  /** By time, and of one moment in the order of the history. */
  inOrder(): TimelineStep[] {
    return [...this.steps]
      .sort((a, b) => compared(a.step.at, b.step.at) || a.n - b.n)
      .map(({ step }) => step);
  }

  newOf(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.known.includes(id));
  }
}

const BETWEEN = ', ';

function listed(ids: readonly string[]): string | null {
  const each = [...new Set(ids)];
  return each.length === 0 ? null : each.join(BETWEEN);
}

function split(detail: string | null): string[] {
  return detail === null ? [] : detail.split(BETWEEN);
}

/** All are written alike. */
function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
