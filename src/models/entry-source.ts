import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * JavaScript that loads a module of ours as the entry of a worker thread or a child process, and
 * calls what it exports `entry`.
 *
 * In a build the module is compiled and is simply required. Under jest it is TypeScript, and jest's
 * own transformer does not reach other threads: there the text first teaches `require` to compile
 * with swc, which the tests have anyway. Both run as evaluated text, so both take the same path.
 * Compiled files that lie about are never preferred: a test must not run yesterday's build.
 *
 * @param directory the caller's `__dirname`; the module lies beside the caller
 * @param name the module's file name without extension
 */
export function entrySource(directory: string, name: string): string {
  const source = join(directory, `${name}.ts`);
  if (!existsSync(source))
    return `const entry = require(${JSON.stringify(join(directory, name))});`;
  return `
    const { createRequire } = require('node:module');
    const { readFileSync } = require('node:fs');
    const from = createRequire(${JSON.stringify(source)});
    const { transformSync } = from('@swc/core');
    require.extensions['.ts'] = (module, filename) => {
      const { code } = transformSync(readFileSync(filename, 'utf8'), {
        filename,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      });
      module._compile(code, filename);
    };
    const entry = from(${JSON.stringify(source)});`;
}
