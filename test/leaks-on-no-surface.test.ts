import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { hashKey } from '../src/api/authentication';
import { CARD_STATUSES, RECALLED_STATUSES, VIAS, type Via } from '../src/contracts/names';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import {
  type Organisation,
  type OrgCard,
  type OrgReader,
  organisation,
  readersOf,
} from './support/organisation';
import { COMMON_WORD, plant, textOf } from './support/organisation-plant';
import { waysOf } from './support/visibility-model';

const NOW = new Date('2026-03-02T12:00:00Z');
const RUNS = 12;
/** Of each organisation; all of them would be a hundred. */
const READERS = 5;

const EMPTY: Organisation = {
  teams: [],
  agents: [{ id: 'agent-0', team: null, parent: null, succeeds: null }],
  subjects: [],
  people: [],
  groups: [],
  cards: [],
  grants: [],
  groupGrants: [],
  idleGrants: [],
  edges: [],
};

const world = fc.tuple(organisation, organisation).chain(([org, neighbour]) => {
  const readers = readersOf(org);
  return fc.record({
    org: fc.constant(org),
    neighbour: fc.constant(neighbour),
    readers: fc.shuffledSubarray(readers, {
      minLength: Math.min(READERS, readers.length),
      maxLength: Math.min(READERS, readers.length),
    }),
  });
});

describeNative('a card shows on every surface to whom the model says, and to nobody else', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ clock: () => NOW });
  });
  afterAll(() => api.close());

  async function planted(workspace: string, org: Organisation): Promise<void> {
    await api.database.inWorkspace(workspace, (tx) =>
      plant((text, values) => tx.query(text, values), workspace, org, NOW),
    );
  }

  /** How to ask as this reader: an agent through a runtime, a person by a key of their own. */
  async function credentials(workspace: string, reader: OrgReader) {
    const key = randomBytes(24).toString('hex');
    const principal = reader.as === 'agent' ? ['runtime', 'harness'] : ['person', reader.person];
    await api.database.inWorkspace(workspace, (tx) =>
      tx.query(
        `INSERT INTO api_keys (workspace_id, id, key_hash, principal_kind, principal_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [workspace, key, hashKey(key), ...principal, NOW],
      ),
    );
    const person = reader.as === 'agent' ? reader.person : null;
    return {
      key,
      headers: {
        ...(reader.agent === null ? {} : { 'cairn-agent': reader.agent }),
        ...(person === null
          ? {}
          : { 'cairn-person': person, 'cairn-execution-mode': 'interactive' }),
      },
    };
  }

  it(`in ${RUNS} organisations, each with a twin of the same ids next door`, async () => {
    let count = 0;
    let shown = 0;
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(world, async ({ org, neighbour, readers }) => {
        count += 1;
        const workspace = `org-${count}`;
        await planted(workspace, org);
        await planted(`next-${count}`, neighbour);
        for (const reader of readers) {
          const ways = new Map(org.cards.map((card) => [card.id, waysOf(org, reader, card)]));
          const visible = org.cards.filter((card) => (ways.get(card.id) ?? []).length > 0);
          shown += visible.length;
          hidden += org.cards.length - visible.length;
          const asked = await credentials(workspace, reader);
          await checkRecall(workspace, org, visible, ways, asked);
          await checkList(visible, asked);
          await checkEach(workspace, org, visible, asked);
          await checkGraph(org, visible, asked);
        }
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(shown, hidden)).toBeGreaterThan(RUNS);
  });

  it('turns away a member who would look through an agent', async () => {
    const org: Organisation = {
      ...EMPTY,
      people: [{ id: 'person-0', role: 'member', subject: null }],
    };
    await planted('with-a-member', org);
    const reader: OrgReader = { as: 'person', person: 'person-0', agent: 'agent-0' };
    const asked = await credentials('with-a-member', reader);
    const answers = await Promise.all([
      api.call('POST', '/v1/recall', { ...asked, body: { query: COMMON_WORD } }),
      api.call('GET', '/v1/cards', asked),
      api.call('GET', '/v1/cards/card-0', asked),
      api.call('GET', '/v1/graph', asked),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  type Asked = Awaited<ReturnType<typeof credentials>>;

  async function checkRecall(
    workspace: string,
    org: Organisation,
    visible: OrgCard[],
    ways: Map<string, Via[]>,
    asked: Asked,
  ): Promise<void> {
    const body = { query: COMMON_WORD, limit: 50, budget_tokens: 100_000, explain: true };
    const { status, body: answer } = await api.call('POST', '/v1/recall', { ...asked, body });
    expect(status).toBe(200);
    const live = visible.filter((card) => isLive(card));
    const expected = live.filter((card) => !isBeaten(org, card, live));
    expect(idsOf(answer.cards)).toEqual(idsOf(expected));
    expect(idsOf(answer.dropped)).toEqual(idsOf(live.filter((card) => isBeaten(org, card, live))));
    for (const card of answer.cards) {
      expect([...card.vias].sort()).toEqual(ways.get(card.id));
      expect(card.summary).toBe(textOf(workspace, card.id));
    }
    expect(answer.pools).toEqual(
      Object.fromEntries(
        VIAS.map((via) => [via, live.filter((card) => ways.get(card.id)?.includes(via)).length]),
      ),
    );
    for (const card of org.cards) {
      const isIn = answer.context.includes(`knows ${card.id}.`);
      expect([card.id, isIn]).toEqual([card.id, expected.includes(card)]);
    }
    const log = await api.database.inWorkspace(workspace, (tx) =>
      tx.query<{ via: Via; count: number; card_ids: string[] }>(
        'SELECT via, count, card_ids FROM access_log WHERE recall_id = $1 ORDER BY via',
        [answer.recall_id],
      ),
    );
    const others = expected.filter((card) => !ways.get(card.id)?.includes('own'));
    expect(log.map(({ via, count, card_ids }) => [via, count, [...card_ids].sort()])).toEqual(
      [...VIAS]
        .sort()
        .map((via) => [via, idsOf(others.filter((card) => ways.get(card.id)?.includes(via)))])
        .filter(([, ids]) => ids?.length !== 0)
        .map(([via, ids]) => [via, ids?.length, ids]),
    );
  }

  async function checkList(visible: OrgCard[], asked: Asked): Promise<void> {
    // What is deleted is listed for people who restore it; a test of its own says for whom.
    const list = await api.call('GET', `/v1/cards?limit=100&${kept()}`, asked);
    expect(list.status).toBe(200);
    expect(idsOf(list.body.items)).toEqual(idsOf(visible));
    expect(list.body.total).toBe(visible.length);
  }

  async function checkEach(
    workspace: string,
    org: Organisation,
    visible: OrgCard[],
    asked: Asked,
  ): Promise<void> {
    const seen = new Set(visible.map(({ id }) => id));
    for (const card of org.cards) {
      const one = await api.call('GET', `/v1/cards/${card.id}`, asked);
      const edges = await api.call('GET', `/v1/cards/${card.id}/edges`, asked);
      const status = seen.has(card.id) ? 200 : 404;
      expect([card.id, one.status, edges.status]).toEqual([card.id, status, status]);
      if (status === 404) continue;
      expect(one.body.summary).toBe(textOf(workspace, card.id));
      const linked = org.edges.filter(
        ({ from, to }) => [from, to].includes(card.id) && seen.has(from) && seen.has(to),
      );
      expect(edges.body.items.map(pairOf).sort()).toEqual(linked.map(pairOf).sort());
    }
  }

  async function checkGraph(org: Organisation, visible: OrgCard[], asked: Asked): Promise<void> {
    const seen = new Set(visible.map(({ id }) => id));
    for (const center of org.cards.slice(0, 2)) {
      const graph = await api.call('GET', `/v1/graph?center=${center.id}&depth=2`, asked);
      expect(graph.status).toBe(seen.has(center.id) ? 200 : 404);
      if (graph.status === 404) continue;
      expect(idsOf(graph.body.nodes)).toEqual(reached(org, center.id, seen));
      for (const { from, to } of graph.body.edges) {
        expect(seen.has(from) && seen.has(to)).toBe(true);
      }
    }
  }
});

function isLive({ status }: OrgCard): boolean {
  return (RECALLED_STATUSES as readonly string[]).includes(status);
}

/** Planted cards are hours apart, so the newer of two that conflict wins; its number is the lower. */
function isBeaten(org: Organisation, card: OrgCard, among: OrgCard[]): boolean {
  return org.edges.some(({ from, to }) => {
    if (from !== card.id && to !== card.id) return false;
    const other = from === card.id ? to : from;
    return among.some(({ id }) => id === other) && numberOf(other) < numberOf(card.id);
  });
}

/** Within two hops, through visible cards only. */
function reached(org: Organisation, center: string, seen: Set<string>): string[] {
  const found = new Set([center]);
  for (let hop = 0; hop < 2; hop += 1) {
    for (const at of [...found]) {
      for (const { from, to } of org.edges) {
        const other = from === at ? to : to === at ? from : null;
        if (other !== null && seen.has(other)) found.add(other);
      }
    }
  }
  return [...found].sort();
}

function numberOf(id: string): number {
  return Number(id.split('-')[1]);
}

function kept(): string {
  return CARD_STATUSES.filter((status) => status !== 'deleted')
    .map((status) => `status=${status}`)
    .join('&');
}

function pairOf({ from, to }: { from: string; to: string }): string {
  return `${from} ${to}`;
}

function idsOf(items: readonly { id: string }[]): string[] {
  return items.map(({ id }) => id).sort();
}
