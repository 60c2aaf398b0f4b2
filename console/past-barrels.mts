/**
 * Imports from a package's index become imports from the files within that it names. The bundler places
 * whatever an index reaches beside the first page that imports from it: every component of every page
 * would be loaded with the frame.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

type Program = ReturnType<Rolldown.PluginContext['parse']>;

/** By the name that the index exports: the file that has it, and its name there. */
type Index = ReadonlyMap<string, { name: string; file: string }>;

/** @param packages - whose index only names what stands elsewhere, and does nothing itself */
export function pastBarrels(...packages: string[]): Plugin {
  const known = new Map<string, Index>();
  return {
    name: 'past-barrels',
    apply: 'build',
    transform: {
      order: 'post',
      async handler(code, id) {
        const named = packages.filter((name) => code.includes(name));
        if (named.length === 0 || !/\.(?:tsx?|mjs|js)$/.test(id)) return null;
        for (const name of named) {
          if (known.has(name)) continue;
          const found = await this.resolve(name, id);
          if (found === null) throw new Error(`${name} is not installed`);
          known.set(name, indexOf(this.parse(readFileSync(found.id, 'utf8')), found.id));
        }
        const changed = rewritten(code, this.parse(code), known);
        return changed === code ? null : { code: changed, map: null };
      },
    },
  };
}

function indexOf({ body }: Program, path: string): Index {
  const whole = (from: string) => (from.startsWith('.') ? join(dirname(path), from) : from);
  const imported = new Map<string, { name: string; file: string }>();
  const exported = new Map<string, { name: string; file: string }>();
  for (const node of body) {
    if (node.type === 'ImportDeclaration') {
      for (const one of node.specifiers) {
        if (one.type !== 'ImportSpecifier') continue;
        imported.set(one.local.name, {
          name: nameOf(one.imported),
          file: whole(node.source.value),
        });
      }
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const one of node.specifiers) {
        const name = nameOf(one.local);
        const there =
          node.source === null ? imported.get(name) : { name, file: whole(node.source.value) };
        if (there !== undefined) exported.set(nameOf(one.exported), there);
      }
    }
  }
  return exported;
}

function rewritten(code: string, { body }: Program, known: ReadonlyMap<string, Index>): string {
  let changed = code;
  for (const node of [...body].reverse()) {
    if (node.type !== 'ImportDeclaration') continue;
    const index = known.get(node.source.value);
    if (index === undefined) continue;
    const lines = node.specifiers.map((one) => {
      const there = one.type === 'ImportSpecifier' ? index.get(nameOf(one.imported)) : undefined;
      return there === undefined
        ? null
        : `import { ${there.name} as ${one.local.name} } from ${JSON.stringify(there.file)};`;
    });
    // One that the index does not name leaves the whole import as it is.
    if (lines.length === 0 || lines.includes(null)) continue;
    changed = changed.slice(0, node.start) + lines.join(' ') + changed.slice(node.end);
  }
  return changed;
}

function nameOf(name: { type: string; name?: string; value?: string }): string {
  return name.name ?? name.value ?? '';
}
