/** The samples of one Prometheus text. */
export class Samples {
  private readonly values = new Map<string, number>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name, value] = /^([a-z_:][\w:]*(?:\{[^}]*\})?) ([^ ]+)$/i.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.values.set(name, Number(value));
    }
  }

  /** Null where it is not told. */
  value(name: string): number | null {
    return this.values.get(name) ?? null;
  }

  /** Over all labels; 0 where there is none. */
  sum(name: string): number {
    let sum = 0;
    for (const [key, value] of this.values) {
      if (key === name || key.startsWith(`${name}{`)) sum += value;
    }
    return sum;
  }
}
