import { consoleSessionSchema, signInSchema } from '../../schemas/session-console';
import { NOT_KEPT } from '../answer-headers';
import type { ApiDependencies, App } from '../app';
import { cookieOf, noCookie } from './cookie';
import { sessionView } from './session-view';
import { signIn, signOut } from './sign-in';

const LOOPBACK = '127.0.0.1';

/** Being signed in: a cookie that stands for a person's key, in a browser, for a day's work. */
export function consoleSessionRoutes(app: App, deps: ApiDependencies): void {
  const host = deps.host ?? LOOPBACK;

  app.post(
    '/v1/session',
    {
      config: { open: true },
      schema: {
        summary: "Sign a browser in by a person's key; the key itself is not kept",
        description:
          'Sets an HttpOnly cookie that is good for 12 hours, for 2 without a request, and for no longer than ' +
          'the key. With it, whatever changes something needs the header `Cairn-CSRF`. Failed tries are ' +
          'counted by address.',
        tags: ['session'],
        body: signInSchema,
        response: { 200: consoleSessionSchema },
      },
    },
    async (request, reply) => {
      const { limits } = deps;
      if (limits === undefined) throw new Error('the app is built with its limits');
      const { token, caller } = await signIn({ ...deps, limits }, request, reply, request.body.key);
      const cookie = cookieOf(token, { host, headers: request.headers });
      const answer = await sessionView(deps, caller);
      return reply.headers({ ...NOT_KEPT, 'set-cookie': cookie }).send(answer);
    },
  );

  app.get(
    '/v1/session',
    {
      schema: {
        summary: 'Who the caller is, and which routes they may use',
        description: '`csrf` is null for a caller with a key, who needs none.',
        tags: ['session'],
        response: { 200: consoleSessionSchema },
      },
    },
    ({ caller }) => sessionView(deps, caller),
  );

  app.delete(
    '/v1/session',
    { schema: { summary: 'Sign this browser out, at once', tags: ['session'] } },
    async (request, reply) => {
      await signOut(deps, request.caller);
      const cookie = noCookie({ host, headers: request.headers });
      return reply.header('set-cookie', cookie).status(204).send();
    },
  );
}
