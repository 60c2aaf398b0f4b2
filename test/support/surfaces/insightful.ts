import { createHash } from 'node:crypto';
import type { Database } from '../../../src/store/database';
import { STATUSES } from '../organisation';
import {
  type Asked,
  askedForEach,
  type Door,
  encoded,
  get,
  good,
  pageAt,
  type Reader,
  type Surface,
  type SurfaceCard,
} from './surface';

/** Makes an insight of each of these cards, with one action in the card's own words; its id is the card's. */
export async function plantInsights(
  database: Database,
  workspace: string,
  cards: readonly string[],
): Promise<void> {
  await database.inWorkspace(workspace, async (tx) => {
    const urgency = {
      ...{ score: 8, severity: 8, dollars: 0, velocity: 0, time_sensitivity: 0 },
      basis: { dollars: null, velocity: null, domain: 'planted' },
    };
    await tx.query(
      `INSERT INTO insights (workspace_id, id, card_id, origin, title, finding, domain, severity, follow_up, urgency,
                             score, owner_kind, owner_id, created_at)
       SELECT $1, c.id, c.id, 'manual_trigger', c.summary, c.summary, 'planted', 'low', 'P21D', $3, 8, 'person',
              'owner', c.recorded_at
         FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
      [workspace, cards, JSON.stringify(urgency)],
    );
    await tx.query(
      `INSERT INTO actions (workspace_id, hash, text, created_at)
       SELECT $1, encode(sha256(c.id::bytea), 'hex'), c.summary, c.recorded_at
         FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
      [workspace, cards],
    );
    await tx.query(
      `INSERT INTO insight_actions (workspace_id, insight_id, id, position, hash, text)
       SELECT $1, c.id, 'act', 0, encode(sha256(c.id::bytea), 'hex'), c.summary
         FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
      [workspace, cards],
    );
  });
}

/** What was superseded or archived is shown by its id, and listed no more. */
const LISTED = STATUSES.filter((status) => !['superseded', 'archived', 'deleted'].includes(status));
const isListed = ({ status }: SurfaceCard) => LISTED.includes(status);
const cardOf = ({ card_id }: { card_id: string }) => card_id;

const unknownOf = (...paths: string[]): NonNullable<Surface['unknown']> => {
  return async (door, reader) => {
    const answers = await Promise.all(paths.map((path) => get(door, reader, path)));
    return answers.map(({ status }) => status);
  };
};

const listBy = (order: 'created' | 'score'): Surface => ({
  name: `the list of insights by ${order}`,
  routes: ['GET /v1/insights'],
  shows: isListed,
  read: async (door, reader) => {
    const { body, text } = await good(get(door, reader, `/v1/insights?limit=500&order=${order}`));
    return { ids: body.items.map(cardOf), text };
  },
  page: (door, reader, _card, at) =>
    pageAt(door, reader, `/v1/insights?order=${order}`, at, cardOf),
  pagesCards: true,
  unknown: unknownOf(
    '/v1/insights?colour=red',
    '/v1/insights?status=open',
    `/v1/insights?order=${order}&cursor=nonsense`,
  ),
});

const oneInsight = askedForEach({
  name: 'one insight',
  routes: ['GET /v1/insights/:id'],
  shows: () => true,
  one: async (door: Door, reader: Reader, { id }: SurfaceCard): Promise<Asked> =>
    await get(door, reader, `/v1/insights/${encoded(id)}`),
  unknown: async (door, reader, { id }) => [
    (await get(door, reader, `/v1/insights/${encoded(id)}?colour=red`)).status,
  ],
});

/** Agents are told by insights alone what to do; so an owner looks at the list with their eyes. */
const looking = ({ asOwner, ...reader }: Reader): Reader => asOwner ?? reader;
const hashOf = ({ id }: Pick<SurfaceCard, 'id'>) => createHash('sha256').update(id).digest('hex');

const actions: Surface = {
  name: 'the list of actions',
  routes: ['GET /v1/actions'],
  // The owner of one workspace is no runtime, and acts for nobody.
  serves: ({ person, isMember }) => person === null && isMember !== true,
  shows: () => true,
  read: async (door, reader, cards) => {
    const { body, text } = await good(get(door, looking(reader), '/v1/actions?limit=500'));
    const hashes = new Set(body.items.map(({ hash }: { hash: string }) => hash));
    return { ids: cards.filter((card) => hashes.has(hashOf(card))).map(({ id }) => id), text };
  },
  page: (door, reader, _card, at) =>
    pageAt(door, looking(reader), '/v1/actions', at, ({ hash }: { hash: string }) => hash),
  unknown: async (door, reader) => {
    const paths = ['?colour=red', '?blocked=maybe', '?cursor=nonsense'];
    const answers = await Promise.all(
      paths.map((path) => get(door, looking(reader), `/v1/actions${path}`)),
    );
    return answers.map(({ status }) => status);
  },
};

export const INSIGHTFUL: readonly Surface[] = [
  listBy('created'),
  listBy('score'),
  oneInsight,
  actions,
];
