import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/store/database';
import { openProposalFor } from '../../../src/store/proposal-opening';
import type { Organisation } from '../organisation';
import { type Door, get, good, pageAt, type Reader, type Surface } from './surface';

/** Of the house: a fix that runtimes and people know of, and one of each agent's own asking. */
const MATTER = 'planted:';

/** Opens proposals in whose evidence each card of the house is to stand. */
export async function plantProposals(
  database: Database,
  workspace: string,
  { agents }: Pick<Organisation, 'agents'>,
  now: Date,
): Promise<void> {
  const base = {
    team: null,
    title: 'Planted',
    summary: 'Said of cards.',
    draftedBy: 'rule',
    evidence: [],
    channel: 'api',
    now,
  } as const;
  await database.inWorkspace(workspace, async (tx) => {
    await openProposalFor(tx, {
      ...base,
      type: 'config_fix',
      matter: `${MATTER}fix`,
      change: { team: 'red', workflow: 'harbour', step: 'pay', fix: 'Ask first.' },
      proposedBy: { kind: 'system', id: 'cairn' },
    });
    for (const { id } of agents) {
      await openProposalFor(tx, {
        ...base,
        type: 'promotion',
        matter: `${MATTER}${id}`,
        change: {},
        proposedBy: { kind: 'agent', id },
        agent: id,
      });
    }
  });
}

export async function nameInProposals(
  database: Database,
  workspace: string,
  cards: readonly string[],
): Promise<void> {
  await database.inWorkspace(workspace, (tx) =>
    tx.query(
      `UPDATE proposals SET evidence = evidence || $3::text[] WHERE workspace_id = $1 AND starts_with(matter, $2)`,
      [workspace, MATTER, cards],
    ),
  );
}

interface Shown {
  id: string;
  evidence: string[];
}

async function listed(door: Door, reader: Reader): Promise<{ items: Shown[]; text: string }> {
  const { body, text } = await good(get(door, reader, '/v1/proposals?limit=500'));
  return { items: body.items, text };
}

const unknownOf = (...paths: string[]): NonNullable<Surface['unknown']> => {
  return async (door, reader) => {
    const answers = await Promise.all(paths.map((path) => get(door, reader, path)));
    return answers.map(({ status }) => status);
  };
};

/** A member has no part in deciding; a rule of the route says so. */
const isNoMember: NonNullable<Surface['serves']> = ({ isMember }) => isMember !== true;

const proposalsList: Surface = {
  name: 'the list of proposals',
  routes: ['GET /v1/proposals'],
  serves: isNoMember,
  shows: () => true,
  read: async (door, reader) => {
    const { items, text } = await listed(door, reader);
    return { ids: items.flatMap(({ evidence }) => evidence), text };
  },
  page: (door, reader, _card, at) => pageAt(door, reader, '/v1/proposals', at, ({ id }) => id),
  unknown: unknownOf(
    '/v1/proposals?colour=red',
    '/v1/proposals?status=maybe',
    '/v1/proposals?limit=0',
  ),
};

const proposalsOfACard: Surface = {
  name: 'the proposals about one card',
  routes: ['GET /v1/proposals'],
  serves: isNoMember,
  shows: () => true,
  read: async (door, reader, cards) => {
    const answers = await Promise.all(
      cards.map(({ id }) => good(get(door, reader, `/v1/proposals?limit=1&card=${id}`))),
    );
    return {
      ids: cards.flatMap(({ id }, at) => (answers[at]?.body.total > 0 ? [id] : [])),
      text: answers.map(({ text }) => text).join('\n'),
    };
  },
};

const oneProposal: Surface = {
  name: 'one proposal',
  routes: ['GET /v1/proposals/:id'],
  serves: isNoMember,
  shows: () => true,
  read: async (door, reader) => {
    const { items } = await listed(door, reader);
    const answers = await Promise.all(
      items.map(({ id }) => good(get(door, reader, `/v1/proposals/${id}`))),
    );
    for (const { body } of answers) {
      const cards = body.cards.map(({ id }: Shown) => id);
      if (String(cards) !== String(body.evidence)) {
        throw new Error('the cards of a proposal are others than its evidence');
      }
    }
    return {
      ids: answers.flatMap(({ body }) => body.evidence),
      text: answers.map(({ text }) => text).join('\n'),
    };
  },
  unknown: unknownOf(`/v1/proposals/prop_${randomUUID()}?colour=red`),
};

export const PROPOSING: readonly Surface[] = [proposalsList, proposalsOfACard, oneProposal];
