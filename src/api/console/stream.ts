import type { IncomingHttpHeaders } from 'node:http';
import type { ApiDependencies, App } from '../app';
import type { Listener } from './change-feed';
import { ChangeFeeds } from './change-feeds';
import { EventStream } from './event-stream';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would collect events until its buffer is full.
  'x-accel-buffering': 'no',
  // When it ends there is nothing more to wait for: a server that drains would be kept by the connection.
  connection: 'close',
};

/** What pages listen to, so that nobody has to load one again to see what has changed. */
export function streamRoutes(app: App, deps: ApiDependencies): void {
  const feeds = new ChangeFeeds(deps);
  app.addHook('preClose', () => feeds.end());

  app.get(
    '/v1/stream',
    {
      config: { endless: true },
      exposeHeadRoute: false,
      schema: {
        summary: 'What changes in the workspace, as server-sent events, while it does',
        description:
          'First `hello` with `{seq}`, then at most once a second `change` with `{seq, topics, ids}`: which ' +
          'lists may have changed, and which of their things; a topic without ids means any. Never content. ' +
          '`Last-Event-ID` goes on from there. It ends as soon as the session or the key does.',
        tags: ['session'],
      },
    },
    async (request, reply) => {
      const events = new EventStream();
      const listener: Listener = {
        caller: request.caller,
        greet: ({ seq, settled }) => events.send('hello', settled, { seq }),
        tell: (change, { settled }) => events.send('change', settled, change),
        end: () => events.end(),
      };
      const from = lastEventIn(request.headers);
      if (from !== undefined) listener.from = from;
      const leave = await feeds.listen(listener).catch((error: unknown) => {
        events.end();
        throw error;
      });
      const left = () => {
        leave();
        events.end();
      };
      reply.raw.once('close', left);
      if (reply.raw.destroyed || request.raw.socket.destroyed) left();
      return reply.headers(HEADERS).send(events.body);
    },
  );
}

/** Undefined where none is sent, null where it is none of ours. */
function lastEventIn(headers: IncomingHttpHeaders): number | null | undefined {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return undefined;
  const isNumber = typeof id === 'string' && /^\d{1,15}$/.test(id);
  return isNumber ? Number(id) : null;
}
