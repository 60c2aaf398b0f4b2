// The arrows within the console, and out of it. Beside zones.mjs, because dependency-cruiser's swc reads no
// TSX.
//
// Usage: node scripts/console-zones.mjs [folder with console in it, default: this project]
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const ROOT = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

const RULES = [
  {
    name: 'console-speaks-v1',
    why: 'the console is a client like any other: it knows the wire types, and asks the API for the rest',
    breaks: (_from, to) => !to.startsWith('console/') && !to.startsWith('src/contracts/'),
  },
  {
    name: 'pages-know-no-other-page',
    why: 'what two pages show is a component; a page that reached into another would load it',
    breaks: (from, to) =>
      pageOf(from) !== null && pageOf(to) !== null && pageOf(from) !== pageOf(to),
  },
  {
    name: 'parts-know-no-page',
    why: 'a component that knew its page could be shown on no other; the router alone knows them',
    breaks: (from, to) =>
      pageOf(to) !== null && pageOf(from) === null && from !== 'console/src/app/router.ts',
  },
  {
    name: 'asking-is-below-showing',
    why: 'what asks the API can be used by every part, so it knows none of them',
    breaks: (from, to) =>
      from.startsWith('console/src/api/') && /^console\/src\/(app|components|pages)\//.test(to),
  },
];

function pageOf(file) {
  return /^console\/src\/pages\/([^/]+)/.exec(file)?.[1] ?? null;
}

/** Specifiers of static and dynamic imports and of re-exports. */
function imports(file) {
  const tree = parseSync(readFileSync(join(ROOT, file), 'utf8'), {
    syntax: 'typescript',
    tsx: true,
  });
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) node.forEach(visit);
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
    if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) && node.source) {
      found.push(node.source.value);
    }
    if (node.type === 'CallExpression' && node.callee?.type === 'Import') {
      const to = node.arguments[0]?.expression;
      if (to?.type === 'StringLiteral') found.push(to.value);
    }
    Object.values(node).forEach(visit);
  };
  visit(tree.body);
  return found.filter((specifier) => specifier.startsWith('.'));
}

const files = readdirSync(join(ROOT, 'console', 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
let findings = 0;
for (const file of files) {
  for (const specifier of imports(file)) {
    const to = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    for (const { name, why, breaks } of RULES) {
      if (!breaks(file, to)) continue;
      findings += 1;
      console.log(`${file} → ${to}  ${name}: ${why}`);
    }
  }
}
console.log(`${findings} findings in ${files.length} files, ${RULES.length} rules`);
process.exitCode = findings === 0 ? 0 : 1;
