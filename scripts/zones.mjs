// Checks the arrows between zones: dependency-cruiser finds the imports, .dependency-cruiser.cjs says which
// are forbidden and why.
//
// The swc parser, which we need because TypeScript 7 has no API, cannot tell `import type` from `import`.
// So a rule that forgives types (`dependencyTypesNot: ['type-only']`) is asked again here: with the types
// stripped by swc, is the import still there?
//
// Usage: node scripts/zones.mjs [folder with src in it, default: this project]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { cruise } from 'dependency-cruiser';

const { forbidden, options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const rules = new Map(forbidden.map((rule) => [rule.name, rule]));

const base = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

const { output } = await cruise(['src'], {
  ...options,
  baseDir: base,
  validate: true,
  ruleSet: { forbidden },
});
const specifiers = new Map(
  output.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved, module }) => [`${source} ${resolved}`, module]),
  ),
);
const strippedSources = new Map();

function stripped(file) {
  let code = strippedSources.get(file);
  if (code === undefined) {
    const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' };
    code = transformSync(readFileSync(join(base, file), 'utf8'), {
      filename: file,
      jsc,
      swcrc: false,
    }).code;
    strippedSources.set(file, code);
  }
  return code;
}

function isValueImport(from, to) {
  const specifier = specifiers.get(`${from} ${to}`);
  if (specifier === undefined || !/\.ts$/.test(from)) return true;
  const code = stripped(from);
  return code.includes(`'${specifier}'`) || code.includes(`"${specifier}"`);
}

function isReal({ rule, from, to, cycle }) {
  const forgivesTypes = rules.get(rule.name)?.to.dependencyTypesNot?.includes('type-only');
  if (!forgivesTypes) return true;
  if (!cycle) return isValueImport(from, to);
  const path = [from, ...cycle.map(({ name }) => name)];
  return path.slice(1).every((next, index) => isValueImport(path[index], next));
}

const violations = output.summary.violations.filter(isReal);
for (const { rule, from, to, cycle } of violations) {
  const arrow = cycle ? [from, ...cycle.map(({ name }) => name)].join(' → ') : `${from} → ${to}`;
  console.log(`${arrow}\n  ${rule.name}: ${rules.get(rule.name)?.comment}`);
}
console.log(
  `${violations.length} forbidden arrows in ${output.summary.totalCruised} modules, ${forbidden.length} rules`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
