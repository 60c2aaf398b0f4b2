import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { CommandContext } from './command';
import { WrongUse } from './failure';

/** What a file holds, or standard input for `-`. @throws {WrongUse} it cannot be read, or holds no JSON */
export async function jsonIn({ terminal }: CommandContext, file: string): Promise<unknown> {
  const source = file === '-' ? text(terminal.input) : readFile(file, 'utf8');
  const said = await source.catch(() => {
    throw new WrongUse(`${file} cannot be read.`);
  });
  try {
    return JSON.parse(said);
  } catch {
    throw new WrongUse(`${file} is not JSON.`);
  }
}
