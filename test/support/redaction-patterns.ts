import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const FOLDER = join(__dirname, '../../src/redaction');

export interface FoundPattern {
  file: string;
  source: string;
  flags: string;
}

/**
 * Every regular expression of the zone: the literals of its syntax trees, and what its modules make
 * with `new RegExp` while they load.
 *
 * @throws where a file makes one that did not come up at loading, since it would go unchecked
 */
export function redactionPatterns(): FoundPattern[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const built = recordConstructed(files);
  return files.flatMap((file) => {
    const { literals, constructions } = read(readFileSync(join(FOLDER, file), 'utf8'));
    const here = built.filter((pattern) => pattern.file === file);
    const places = new Set(here.map(({ place }) => place)).size;
    if (places !== constructions) {
      throw new Error(
        `${file} has ${constructions} times \`new RegExp\`, and ${places} ran at loading`,
      );
    }
    return [...literals.map((literal) => ({ file, ...literal })), ...here];
  });
}

function read(code: string): {
  literals: { source: string; flags: string }[];
  constructions: number;
} {
  const literals: { source: string; flags: string }[] = [];
  let constructions = 0;
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, pattern, flags, callee } = node as Record<string, unknown>;
    if (type === 'RegExpLiteral') literals.push({ source: String(pattern), flags: String(flags) });
    const called = (callee as { type?: string; value?: string } | undefined)?.value;
    if ((type === 'NewExpression' || type === 'CallExpression') && called === 'RegExp') {
      constructions += 1;
    }
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseSync(code, { syntax: 'typescript', target: 'es2022' }).body);
  return { literals, constructions };
}

function recordConstructed(files: readonly string[]): (FoundPattern & { place: string })[] {
  const found: (FoundPattern & { place: string })[] = [];
  const original = globalThis.RegExp;
  const note = (made: RegExp): RegExp => {
    // The frame that asked, behind those of this file; packages make theirs further in.
    const asked = (new Error().stack ?? '')
      .split('\n')
      .find((frame) => frame.includes('    at ') && !frame.includes('redaction-patterns'));
    const [, file, place] =
      /src[\\/]redaction[\\/]([\w\\/-]+\.ts):(\d+:\d+)/.exec(asked ?? '') ?? [];
    if (file !== undefined && place !== undefined) {
      found.push({ file, place, source: made.source, flags: made.flags });
    }
    return made;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args, newTarget) =>
      note(Reflect.construct(target, args, newTarget) as RegExp),
    apply: (target, self, args) => note(Reflect.apply(target, self, args) as RegExp),
  });
  try {
    jest.isolateModules(() => {
      for (const file of files) require(join(FOLDER, file));
    });
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}
