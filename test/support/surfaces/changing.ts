import type { CallOptions, Method } from '../api';
import type { SurfaceCard } from './surface';

/**
 * Calls that change a card, most of which answer with it. To a reader without a path to it the card is not
 * there: 404, and it stays as it was.
 */
export interface Change {
  route: string;
  call(card: SurfaceCard): { method: Method; path: string } & Pick<CallOptions, 'body' | 'headers'>;
}

function on(route: string, body?: object, headers: Record<string, string> = {}): Change {
  const [method = '', path = ''] = route.split(' ');
  return {
    route,
    call: ({ id }) => ({
      method: method as Method,
      path: path.replace(':id', encodeURIComponent(id)),
      headers,
      ...(body === undefined ? {} : { body }),
    }),
  };
}

const named = (change: Change, route: string): Change => ({ ...change, route });

const ofSkill = (route: string, path: string, body: object) =>
  named(on(`POST /v1/skills/:id${path}`, body), `POST /v1/skills/:name${route}`);

const ofAction = (what: string, body: object) =>
  named(
    on(`POST /v1/insights/:id/actions/act/${what}`, body),
    `POST /v1/insights/:id/actions/:action_id/${what}`,
  );

export const CHANGES: readonly Change[] = [
  on('PATCH /v1/cards/:id', { summary: 'Changed by a stranger.' }, { 'if-match': '"1"' }),
  on('DELETE /v1/cards/:id'),
  on('POST /v1/cards/:id/restore', {}),
  on('POST /v1/cards/:id/validation', { verdict: 'wrong' }),
  on('POST /v1/cards/:id/quarantine', {}),
  on('POST /v1/cards/:id/release', {}),
  on('POST /v1/cards/:id/stop', { derived: true }),
  on('POST /v1/cards/:id/promotion', { scope: { type: 'workspace', id: 'house' } }),
  on('POST /v1/cards/:id/demotion', {}),
  named(on('PUT /v1/cards/:id/grants/mate', {}), 'PUT /v1/cards/:id/grants/:agent'),
  named(on('DELETE /v1/cards/:id/grants/mate'), 'DELETE /v1/cards/:id/grants/:agent'),
  named(on('PUT /v1/cards/:id/group-grants/crew', {}), 'PUT /v1/cards/:id/group-grants/:group'),
  named(on('DELETE /v1/cards/:id/group-grants/crew'), 'DELETE /v1/cards/:id/group-grants/:group'),
  // An insight has the id of its card here, and one action.
  ofAction('taken', {}),
  ofAction('measure', {}),
  ofAction('extend', { window: 'P30D' }),
  ofAction('cancel', {}),
  on('POST /v1/insights/:id/outcome', { action_id: 'act', result: 'improved' }),
  // A skill has the name of its card here.
  ofSkill('/versions', '/versions', { body: 'Changed by a stranger.' }),
  ofSkill('/versions/:n/test', '/versions/1/test', {}),
  ofSkill('/rollback', '/rollback', {}),
  ofSkill('/deprecate', '/deprecate', {}),
];

/** They make a card, a note or a skill of the caller's own, or touch it by its key. */
export const WRITES_OF_ONES_OWN: readonly string[] = [
  'POST /v1/cards',
  'PUT /v1/notes/:key',
  'DELETE /v1/notes/:key',
  'POST /v1/skills',
  'POST /v1/insights',
];
