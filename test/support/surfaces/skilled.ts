import type { Database } from '../../../src/store/database';
import { LIVE, type Status } from '../organisation';
import { WIDE } from './recalling';
import {
  type Asked,
  askedForEach,
  type Door,
  encoded,
  get,
  good,
  isLive,
  pageAt,
  type Reader,
  type Surface,
  type SurfaceCard,
} from './surface';

/** Makes a skill of each of these cards, whose name is the card's id: whoever sees the card sees it. */
export async function plantSkills(
  database: Database,
  workspace: string,
  cards: readonly string[],
): Promise<void> {
  await database.inWorkspace(workspace, async (tx) => {
    await tx.query(
      `INSERT INTO skills (workspace_id, card_id, name, scope_type, scope_id, holds_name, status, current_version,
                           latest_version, created_at)
       SELECT $1, c.id, c.id, c.scope_type, c.scope_id, true, 'current', 1, 1, c.recorded_at
         FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
      [workspace, cards],
    );
    await tx.query(
      `INSERT INTO skill_versions (workspace_id, card_id, version, status, description, document, body, writer_kind,
                                   writer_id, created_at)
       SELECT $1, c.id, 1, 'current', c.summary,
              jsonb_build_object('purpose', c.summary, 'preconditions', '[]'::jsonb, 'steps', '[]'::jsonb,
                                 'failure_handling', '[]'::jsonb, 'causes', '[]'::jsonb),
              c.summary, c.writer_kind, c.writer_id, c.recorded_at
         FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
      [workspace, cards],
    );
  });
}

/** What was superseded or archived is a skill no more; what waits for a person is one to people. */
const KEPT: readonly Status[] = [...LIVE, 'rejected', 'quarantined'];
export const isSkill = ({ status }: SurfaceCard) => KEPT.includes(status);
const cardOf = ({ card_id }: { card_id: string }) => card_id;

const unknownOf = (...paths: string[]): NonNullable<Surface['unknown']> => {
  return async (door, reader) => {
    const answers = await Promise.all(paths.map((path) => get(door, reader, path)));
    return answers.map(({ status }) => status);
  };
};

const skillsList: Surface = {
  name: 'the list of skills',
  routes: ['GET /v1/skills'],
  shows: isSkill,
  read: async (door, reader) => {
    const { body, text } = await good(get(door, reader, '/v1/skills?limit=500'));
    return { ids: body.items.map(cardOf), text };
  },
  page: (door, reader, _card, at) => pageAt(door, reader, '/v1/skills', at, cardOf),
  pagesCards: true,
  unknown: unknownOf(
    '/v1/skills?colour=red',
    '/v1/skills?status=active',
    '/v1/skills?limit=0',
    '/v1/skills?cursor=nonsense',
  ),
};

const FOUND = `/v1/skills?query=${WIDE.query}`;

const skillsFound: Surface = {
  name: 'the skills that fit a query',
  routes: ['GET /v1/skills'],
  shows: isLive,
  read: async (door, reader) => {
    const { body, text } = await good(get(door, reader, `${FOUND}&limit=500`));
    return { ids: body.items.map(cardOf), text };
  },
  page: (door, reader, _card, at) => pageAt(door, reader, FOUND, at, cardOf),
  pagesCards: true,
  unknown: unknownOf(`${FOUND}&colour=red`, `${FOUND}&cursor=nonsense`, `${FOUND}&status=draft`),
};

/** A route about one skill, which has the name of its card here. */
function ofOneSkill(what: string, query = ''): Surface {
  const path = ({ id }: SurfaceCard) => `/v1/skills/${encoded(id)}${what}${query}`;
  const one = async (door: Door, reader: Reader, card: SurfaceCard): Promise<Asked> => {
    const { status, text } = await get(door, reader, path(card));
    return { status, text };
  };
  return askedForEach({
    name: what === '' ? 'one skill' : `one skill, ${what.slice(1)}`,
    routes: [`GET /v1/skills/:name${what}`],
    shows: isSkill,
    one,
    unknown: async (door, reader, card) => {
      const more = `${path(card)}${query === '' ? '?' : '&'}`;
      const answers = [`${more}colour=red`, `${more}scope_type=team`];
      const found = await Promise.all(answers.map((each) => get(door, reader, each)));
      return found.map(({ status }) => status);
    },
  });
}

export const SKILLED: readonly Surface[] = [
  skillsList,
  skillsFound,
  ofOneSkill(''),
  ofOneSkill('/skill.md'),
  ofOneSkill('/versions'),
  ofOneSkill('/diff', '?from=1&to=1'),
];
