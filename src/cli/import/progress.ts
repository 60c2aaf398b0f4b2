import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import { type Terminal, thousands } from '../terminal';
import type { ImportCounts } from './counts';

const REDRAW_MS = 250;
/** Where nobody watches, a line now and then is enough for a log. */
const LINE_MS = 10_000;

/** Shows how far an import is: bars on a terminal, else a line now and then. */
export class ImportProgress {
  private readonly timer: NodeJS.Timeout;
  private readonly bars: { all: MultiBar; taken: SingleBar; carded: SingleBar | null } | null;

  /** @param totalBytes null where the input has no known end */
  constructor(
    private readonly counts: ImportCounts,
    private readonly terminal: Terminal,
    private readonly totalBytes: number | null,
    waits: boolean,
  ) {
    this.bars = terminal.err.isTTY === true ? barsOn(terminal, totalBytes, waits) : null;
    this.timer = setInterval(() => this.show(), this.bars === null ? LINE_MS : REDRAW_MS);
    this.timer.unref();
  }

  /** A line of text, above the bars where there are some. */
  note(line: string): void {
    if (this.bars === null) this.terminal.err.write(`${line}\n`);
    else this.bars.all.log(`${line}\n`);
  }

  end(): void {
    clearInterval(this.timer);
    if (this.bars === null) return;
    this.show();
    this.bars.all.stop();
  }

  private show(): void {
    const { counts, bars } = this;
    const taken = counts.accepted + counts.duplicates;
    if (bars === null) {
      const carded =
        counts.awaited > 0 ? `, ${thousands(counts.settled + counts.probablySettled)} at rest` : '';
      this.terminal.err.write(`  ${thousands(taken)} taken${carded}\n`);
      return;
    }
    if (this.totalBytes === null) bars.taken.setTotal(Math.max(1, counts.bytes));
    bars.taken.update(counts.bytes, { count: `${thousands(taken)} taken` });
    bars.carded?.setTotal(Math.max(1, counts.awaited));
    const settled = counts.settled + counts.probablySettled;
    bars.carded?.update(settled, {
      count: `${thousands(settled)} of ${thousands(counts.awaited)} at rest`,
    });
  }
}

function barsOn(terminal: Terminal, totalBytes: number | null, waits: boolean) {
  const all = new MultiBar(
    {
      format: '  {what} {bar} {percentage}%  {count}',
      stream: terminal.err,
      gracefulExit: false,
      hideCursor: true,
      barsize: 30,
    },
    Presets.shades_classic,
  );
  const start = { count: '' };
  return {
    all,
    taken: all.create(totalBytes ?? 1, 0, { ...start, what: 'accepted' }),
    carded: waits ? all.create(1, 0, { ...start, what: 'carded  ' }) : null,
  };
}
