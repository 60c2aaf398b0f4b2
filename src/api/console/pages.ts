import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PACKAGE_ROOT } from '../../telemetry/version';
import type { App } from '../app';
import { noRoute } from '../problem-of';
import { sessionTokenIn } from './cookie';
import { cacheControlOf, FILE_POLICY, pagePolicy } from './page-headers';

const BUILT = join(PACKAGE_ROOT, 'dist', 'console');
const PAGE = 'index.html';
/** What the build writes where the answer's nonce goes. */
const NONCE = /__CSP_NONCE__/g;
const NONCE_BYTES = 16;
/** Where it says whether the browser brought a session: without one nothing is asked before the door. */
const SESSION = /__CAIRN_SESSION__/;

/** What is no page: there an unknown path is a program's mistake, and is told as one. */
const NO_PAGES = /^\/(?:v1|v3|docs|mcp|healthz|readyz|metrics|openapi\.json)(?:\/|$)/;
/** Segments of letters, digits and signs that a build gives its files; no dot at the beginning of any. */
const FILE = /^(?:\/[\w@~-][\w.@~-]*)+$/;
/** Only ever sent in place of the file that they are made of. */
const COMPRESSED = /\.(?:br|gz)$/;

/**
 * Serves the console to whatever no route answers: its files by their names, and its page at every other path that
 * a browser opens, so that each of its places can be linked to. Without a build a page says how to make one.
 * @param dir what the build left
 */
export async function consolePages(app: App, dir: string = BUILT): Promise<void> {
  // Loaded by who serves: the CLI reads routes of this zone, and starts in a blink.
  const fastifyStatic = require('@fastify/static') as typeof import('@fastify/static');
  await app.register(fastifyStatic, {
    root: dir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'deny',
    index: false,
    // It may be built later, or not at all.
    suppressWarning: true,
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const isAsked = request.method === 'GET' || request.method === 'HEAD';
    if (!isAsked || NO_PAGES.test(path)) throw noRoute();
    if (await isFile(dir, path)) return sendFile(reply, path);
    if (!isOpened(request)) throw noRoute();
    return await sendPage(reply, dir, sessionTokenIn(request.headers) !== null);
  });
}

function pathOf(request: FastifyRequest): string {
  const [path = '/'] = request.url.split('?');
  return path;
}

/** A browser that opens a page says so; its scripts, and programs, ask for anything or for JSON. */
function isOpened(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true;
}

async function isFile(dir: string, path: string): Promise<boolean> {
  if (!FILE.test(path) || COMPRESSED.test(path) || path === `/${PAGE}`) return false;
  const found = await stat(join(dir, path)).catch(() => null);
  return found?.isFile() === true;
}

function sendFile(reply: FastifyReply, path: string): FastifyReply {
  return reply
    .headers({
      'content-security-policy': FILE_POLICY,
      'cache-control': cacheControlOf(path),
    })
    .sendFile(path);
}

async function sendPage(
  reply: FastifyReply,
  dir: string,
  hasSession: boolean,
): Promise<FastifyReply> {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const page = await readFile(join(dir, PAGE), 'utf8').catch(() => null);
  return reply
    .status(page === null ? 404 : 200)
    .headers({ 'content-security-policy': pagePolicy(nonce), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      page === null
        ? NOT_BUILT
        : page.replace(NONCE, nonce).replace(SESSION, hasSession ? 'brought' : 'none'),
    );
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Cairn</title>
  </head>
  <body>
    <h1>The console is not built</h1>
    <p>The API runs; only its pages are missing. Run <code>npm run build</code> in the folder that Cairn was
    installed from, and load this page again.</p>
    <p><a href="/docs">What the API can do</a></p>
  </body>
</html>
`;
