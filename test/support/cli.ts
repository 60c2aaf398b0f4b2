import { PassThrough, Readable } from 'node:stream';
import { runCairn } from '../../src/cli/run';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** One command line, with what it wrote; `environment` is all that it sees of one. */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  input = '',
): Promise<Ran> {
  const said = { out: '', err: '' };
  const out = new PassThrough().setEncoding('utf8').on('data', (text) => (said.out += text));
  const err = new PassThrough().setEncoding('utf8').on('data', (text) => (said.err += text));
  const terminal = { out, err, input: Readable.from([Buffer.from(input)]) };
  const code = await runCairn(args, terminal, environment);
  return { code, ...said };
}
