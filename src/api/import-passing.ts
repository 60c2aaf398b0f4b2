import { chained, NO_CHAIN } from '../store/export-chain';
import { heldHeads } from '../store/import-held-lines';
import type { ApiDependencies } from './app';

/** Heads read at once. */
const AT_ONCE = 500;

/** The lines of a file that is sent again from its beginning, as they pass by what is held of it. */
export class PassingLines {
  private chain = NO_CHAIN;
  private heads = new Map<number, string>();
  private readUpTo = 0;

  constructor(
    private readonly deps: Pick<ApiDependencies, 'database'>,
    private readonly workspace: string,
    private readonly id: string,
  ) {}

  /**
   * @param n of the line, each after the one before it
   * @returns null where it is the line that is held; else the head of the chain behind the line before it. The first
   *   line and one that an erasure took meanwhile are compared with the next one that is held
   */
  async before(n: number, text: string): Promise<string | null> {
    const before = this.chain;
    this.chain = chained(before, text);
    if (n > this.readUpTo) {
      this.heads = await this.deps.database.inWorkspace(this.workspace, (tx) =>
        heldHeads(tx, this.id, n, AT_ONCE),
      );
      this.readUpTo = n + AT_ONCE - 1;
    }
    const held = this.heads.get(n);
    return held === undefined || held === this.chain ? null : before;
  }
}
