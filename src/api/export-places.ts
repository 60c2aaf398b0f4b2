import type { Caller } from './authentication';
import { Problem } from './problem';

/** Each holds a connection for as long as it is read, of the ten of a server. */
const AT_A_TIME = { server: 4, workspace: 2, key: 1 } as const;
const BOUNDS = ['key', 'workspace', 'server'] as const;

/** Who reads an export now: bounded by key and by workspace too, so that nobody takes every place. */
export class ExportPlaces {
  private readonly taken = new Map<string, number>();

  /**
   * @returns what gives the place back; called again it does nothing
   * @throws Problem 429
   */
  take({ context, keyId }: Pick<Caller, 'context' | 'keyId'>): () => void {
    const { workspace } = context;
    const names = {
      key: `key ${workspace}/${keyId}`,
      workspace: `workspace ${workspace}`,
      server: 'server',
    };
    const full = BOUNDS.find((bound) => this.count(names[bound]) >= AT_A_TIME[bound]);
    if (full !== undefined) throw tooMany(full);
    for (const bound of BOUNDS) this.add(names[bound], 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      for (const bound of BOUNDS) this.add(names[bound], -1);
    };
  }

  private count(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  private add(name: string, more: number): void {
    const count = this.count(name) + more;
    if (count > 0) this.taken.set(name, count);
    else this.taken.delete(name);
  }
}

function tooMany(bound: (typeof BOUNDS)[number]): Problem {
  const of = { key: 'with this key', workspace: 'of this workspace', server: 'from this server' };
  const most = AT_A_TIME[bound];
  return new Problem(
    429,
    'too_many_exports',
    `${most === 1 ? 'an export is' : `${most} exports are`} being read ${of[bound]} already; ask again once one is through`,
    {},
    { 'retry-after': '30' },
  );
}
