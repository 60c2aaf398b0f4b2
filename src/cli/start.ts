import type { Command } from 'commander';
import { type CommandContext, speech, withJson } from './command';
import { serveUntilSignal } from './serving';
import type { Speech } from './terminal';

/** `start`, `server` and `worker`: what runs until it is told to stop. */
export function serveCommands(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('start')
      .description('run everything on this machine: Postgres, Temporal, the workers and the API'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const options = context.options();
    // Loaded only here: the other commands need neither Temporal nor a database, and start in a blink.
    const { startEmbedded } = require('../embedded/main') as typeof import('../embedded/main');
    context.exit = await serveUntilSignal(
      async () => {
        const cairn = await startEmbedded(options, (line) => say.note(`  ${line}`));
        return { ...cairn, ended: cairn.failed };
      },
      (cairn) => {
        const { key, isNew, path } = cairn.ownerKey;
        announce(say, {
          url: cairn.url,
          temporalUi: cairn.temporalUi,
          key: isNew ? key : null,
          keyPath: path,
        });
      },
      (line) => say.note(line),
    );
  });

  withJson(
    program
      .command('server')
      .description('run the API alone, on the servers that DATABASE_URL and TEMPORAL_ADDRESS name'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const options = context.options();
    const { startServer } = require('../api/main') as typeof import('../api/main');
    context.exit = await serveUntilSignal(
      () => startServer(options, (line) => say.note(`  ${line}`)),
      ({ url, newOwnerKey }) => {
        say.emit({ url, docs_url: `${url}/docs`, owner_key: newOwnerKey });
        say.print(`Cairn's API is at ${url} (docs: ${url}/docs), and so is its console.`);
        if (newOwnerKey !== null) say.print(`Owner key, shown this once: ${newOwnerKey}`);
      },
      (line) => say.note(line),
    );
  });

  withJson(
    program
      .command('worker')
      .description('run workers alone, on the servers that DATABASE_URL and TEMPORAL_ADDRESS name'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const options = context.options();
    const { startWorker } = require('../worker/main') as typeof import('../worker/main');
    context.exit = await serveUntilSignal(
      async () => {
        const worker = await startWorker(options, (line) => say.note(`  ${line}`));
        return { stop: () => worker.stop(), ended: worker.done };
      },
      () => {
        say.emit({ status: 'working' });
        say.print('The workers are polling.');
      },
      (line) => say.note(line),
    );
  });
}

interface Announcement {
  url: string;
  temporalUi: string | null;
  /** Null where it was shown before. */
  key: string | null;
  keyPath: string;
}

function announce(say: Speech, { url, temporalUi, key, keyPath }: Announcement): void {
  say.emit({
    url,
    docs_url: `${url}/docs`,
    temporal_ui: temporalUi,
    owner_key: key,
    owner_key_path: keyPath,
  });
  const shown = key === null ? `in ${keyPath}` : `${key}  (shown this once; kept in ${keyPath})`;
  say.print(`
Cairn is running. Ctrl-C stops it.

  Console      ${url}  (sign in with the owner key)
  API          ${url}
  Docs         ${url}/docs
  Temporal UI  ${temporalUi ?? 'of the server that TEMPORAL_ADDRESS names'}
  Owner key    ${shown}

Try next, in another terminal:

  npm run sample
  npx cairn recall "send the newsletter to all readers" --agent herald-friday --intent act
  npx cairn doctor
`);
}
