import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a command of Temporal's own program said, and how it ended. */
export interface Said {
  code: number;
  out: string;
  err: string;
}

/** `temporal workflow …` on a server: all that an operator has who has nothing of Cairn. */
export async function temporalWorkflow(
  { cli, address }: { cli: string; address: string },
  words: readonly string[],
): Promise<Said> {
  const asked = ['workflow', ...words, '--address', address];
  try {
    const { stdout, stderr } = await promisify(execFile)(cli, asked);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}
