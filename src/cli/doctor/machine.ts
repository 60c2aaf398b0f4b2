import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Options } from '../../config/options';
import { MINILM_WHEEL, TEMPORAL_CLI_VERSION } from '../../embedded/pins';
import { isRunning, parseIdentity } from '../../embedded/process-identity';
import { exists, onPath } from '../../embedded/program';
import { readRuntimeFile } from '../../embedded/runtime-file';
import { packageVersion } from '../../telemetry/version';
import { type Check, fail, ok, warn } from './check';

/** `engines` of package.json. */
const OLDEST_NODE = [20, 19] as const;
/** A first start takes about 60 MB of data and 80 MB of downloads. */
const LEAST_FREE_BYTES = 200 * 1024 * 1024;
/** Postgres needs room for its log and for a VACUUM beside the tables. */
const COMFORTABLE_BYTES = 1024 * 1024 * 1024;

export function versions(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const detail = `Cairn ${packageVersion()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return isOld
    ? fail('versions', detail, `install Node ${OLDEST_NODE.join('.')} or newer`)
    : ok('versions', detail);
}

export async function dataDirectory(options: Options): Promise<Check> {
  const { dataDir } = options;
  const found = await stat(dataDir).catch(() => null);
  if (found === null) {
    const parent = await access(dirname(dataDir), constants.W_OK).then(
      () => true,
      () => false,
    );
    return parent
      ? ok('data directory', `${dataDir} is not there yet; the first start makes it`)
      : fail('data directory', `${dataDir} is not there and cannot be made`, 'set CAIRN_DATA_DIR');
  }
  if (!found.isDirectory()) {
    return fail('data directory', `${dataDir} is a file`, 'set CAIRN_DATA_DIR to a directory');
  }
  const writable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable) {
    return fail(
      'data directory',
      `${dataDir} is not yours to write`,
      'set CAIRN_DATA_DIR, or its owner',
    );
  }
  const open = (found.mode & 0o077) !== 0;
  return open
    ? warn(
        'data directory',
        `${dataDir} can be read by others`,
        `chmod 700 ${dataDir}: keys lie there`,
      )
    : ok('data directory', dataDir);
}

/** Of the lock and of runtime.json, which tell the CLI where the API is. */
export async function runningProcess(options: Options): Promise<Check[]> {
  const text = await readFile(join(options.dataDir, 'lock'), 'utf8').catch(() => null);
  const holder = text === null ? undefined : parseIdentity(text);
  const runs = holder !== undefined && isRunning(holder);
  const lock =
    holder === undefined
      ? ok('lock', 'nobody holds the data directory')
      : runs
        ? ok('lock', `held by process ${holder.pid}`)
        : warn(
            'lock',
            `left by process ${holder.pid}, which has ended`,
            'nothing: the next start takes it',
          );
  const runtime = await readRuntimeFile(options.dataDir);
  if (runtime === undefined) {
    return runs
      ? [lock, warn('runtime.json', 'not there: Cairn is still starting', 'try again in a moment')]
      : [lock, ok('runtime.json', 'not there, as nothing runs')];
  }
  if (!runs || holder.pid !== runtime.pid) {
    const detail = `speaks of process ${runtime.pid}, which has ended`;
    return [lock, warn('runtime.json', detail, 'start Cairn again with `npm start`')];
  }
  const mode = (await stat(join(options.dataDir, 'runtime.json'))).mode & 0o077;
  return [
    lock,
    mode === 0
      ? ok('runtime.json', `${runtime.url}, Temporal at ${runtime.temporal_address}`)
      : warn('runtime.json', 'can be read by others', 'chmod 600 it'),
  ];
}

export async function diskSpace(options: Options): Promise<Check> {
  const dir = (await exists(options.dataDir)) ? options.dataDir : dirname(options.dataDir);
  const found = await statfs(dir).catch(() => null);
  if (found === null)
    return warn('disk space', `${dir} cannot be asked`, 'see whether the disk is there');
  const free = found.bavail * found.bsize;
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free at ${dir}`;
  if (free < LEAST_FREE_BYTES) return fail('disk space', detail, 'free at least 200 MB');
  return free < COMFORTABLE_BYTES
    ? warn('disk space', detail, 'Postgres stops when the disk is full: keep 1 GB free')
    : ok('disk space', detail);
}

/** Whether a start could listen where it will try to. */
export async function port(options: Options): Promise<Check> {
  const { host, port: wanted, portNamed } = options;
  const free = await canListen(host, wanted);
  if (free) return ok('port', `${host}:${wanted} is free`);
  return portNamed
    ? fail(
        'port',
        `${host}:${wanted} is taken`,
        'set CAIRN_PORT to a free one, or stop what uses it',
      )
    : ok('port', `${host}:${wanted} is taken; a start takes a free one instead`);
}

/** What an embedded start would otherwise have to download. */
export async function downloads(options: Options): Promise<Check[]> {
  const cli = join(options.cacheDir, `temporal-cli-${TEMPORAL_CLI_VERSION}`, 'temporal');
  const [onSearchPath] = await onPath('temporal', options.searchPath);
  const temporal = options.temporalCli ?? onSearchPath ?? ((await exists(cli)) ? cli : null);
  const { project, version } = MINILM_WHEEL;
  const model = join(options.cacheDir, `${project}-${version}`, 'model.onnx');
  const hasModel = options.embeddingEndpoint !== null || (await exists(model));
  const later = options.offline ? 'CAIRN_OFFLINE is set' : 'the next start fetches it';
  return [
    options.temporalAddress !== null
      ? ok('Temporal CLI', 'not needed: TEMPORAL_ADDRESS is set')
      : temporal !== null
        ? ok('Temporal CLI', temporal)
        : options.offline
          ? fail(
              'Temporal CLI',
              `not found, and ${later}`,
              'install it, or unset CAIRN_OFFLINE once',
            )
          : ok('Temporal CLI', `not found; ${later}`),
    hasModel
      ? ok(
          'embedding model',
          options.embeddingEndpoint === null ? model : options.embeddingEndpoint.model,
        )
      : warn(
          'embedding model',
          `not in the cache; ${later}`,
          'without it, recall goes by words and spelling and not by meaning',
        ),
  ];
}

function canListen(host: string, wanted: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(wanted, host, () => server.close(() => resolve(true)));
  });
}
