import fc from 'fast-check';
import { startApi, type TestApi } from './support/api';
import { SessionLane } from './support/sessions';

/**
 * Random spawn trees, and what their agents do in one session, held against the words of the design: the
 * session's root is whoever came first, or the ancestor of it that came later; it and whoever it spawned
 * share the blackboard, and to others there is none. The model shares nothing with the product.
 */

jest.setTimeout(180_000);

let api: TestApi;
let lane: SessionLane;
beforeAll(async () => {
  api = await startApi();
  lane = new SessionLane(api);
});
afterAll(() => api.close());

const AGENTS = 7;
const PERSON = AGENTS;

type Step =
  | { does: 'event'; agent: number; final: boolean }
  | { does: 'put' | 'delete' | 'read'; agent: number; key: string }
  | { does: 'end'; agent: number };

const agent = fc.nat(AGENTS - 1);
const anyone = fc.nat(PERSON);
const key = fc.constantFrom('plan', 'found');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('put' as const), agent: anyone, key }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('read' as const), agent: anyone, key }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), agent: anyone, key }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('event' as const),
      agent,
      final: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('end' as const), agent: anyone }) },
);

/** Of each agent its parent, one of those before it, or none. */
const tree = fc.tuple(
  ...Array.from({ length: AGENTS }, (_, n) =>
    n === 0 ? fc.constant(null) : fc.option(fc.nat(n - 1), { freq: 5 }),
  ),
);

interface State {
  root: number | null;
  over: 'no' | 'by a final event' | 'for good';
  board: Map<string, string>;
}

class Model {
  state: State = { root: null, over: 'no', board: new Map() };

  constructor(private readonly parents: readonly (number | null)[]) {}

  /** Itself, and whoever spawned it. */
  private up(of: number): number[] {
    const parent = this.parents[of] ?? null;
    return parent === null ? [of] : [of, ...this.up(parent)];
  }

  private join(who: number): void {
    const { root } = this.state;
    if (root === null) this.state.root = who;
    else if (who !== root && this.up(root).includes(who)) {
      this.state.root = who;
      if (this.state.over === 'by a final event') this.state.over = 'no';
    }
  }

  private shares(who: number): boolean {
    const { root } = this.state;
    return root !== null && (who === PERSON || this.up(who).includes(root));
  }

  private isAbove(who: number): boolean {
    const { root } = this.state;
    return root !== null && (who === PERSON || this.up(root).includes(who));
  }

  event(who: number, final: boolean): void {
    this.join(who);
    if (final && this.state.over === 'no' && this.isAbove(who)) {
      this.state.over = 'by a final event';
      this.state.board.clear();
    }
  }

  put(who: number, at: string, value: string): number {
    const before = { ...this.state };
    if (who !== PERSON) this.join(who);
    // What is refused changes nothing.
    const refused = (status: number) => {
      this.state = before;
      return status;
    };
    if (!this.shares(who)) return refused(404);
    if (this.state.over !== 'no') return refused(409);
    const status = this.state.board.has(at) ? 200 : 201;
    this.state.board.set(at, value);
    return status;
  }

  read(who: number, at: string): { status: number; value?: string } {
    if (!this.shares(who) || this.state.over !== 'no') return { status: 404 };
    const value = this.state.board.get(at);
    return value === undefined ? { status: 404 } : { status: 200, value };
  }

  delete(who: number, at: string): number {
    if (!this.shares(who)) return 404;
    if (this.state.over !== 'no') return 409;
    return this.state.board.delete(at) ? 204 : 404;
  }

  end(who: number): number {
    if (!this.isAbove(who)) return this.shares(who) ? 403 : 404;
    this.state.over = 'for good';
    this.state.board.clear();
    return 200;
  }

  list(who: number): { status: number; keys?: string[] } {
    if (!this.shares(who) || this.state.over !== 'no') return { status: 404 };
    return { status: 200, keys: [...this.state.board.keys()].sort() };
  }
}

/** Each answer that chance may leave out: a child that may not end what its parent may. */
const ALWAYS: [(number | null)[], Step[]] = [
  [null, 0, null, null, null, null, null],
  [
    { does: 'put', agent: 0, key: 'plan' },
    { does: 'read', agent: 1, key: 'plan' },
    { does: 'read', agent: 2, key: 'plan' },
    { does: 'put', agent: 2, key: 'plan' },
    { does: 'end', agent: 1 },
    { does: 'end', agent: 0 },
    { does: 'put', agent: 1, key: 'plan' },
  ],
];

let runs = 0;

test('its root and whoever that spawned see it, and to everybody else it is not there', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      tree,
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (parents, steps) => {
        runs += 1;
        const session = `session-${runs}`;
        const name = (n: number) => (n === PERSON ? null : `agent-${runs}-${n}`);
        const spawned = parents.map((parent, n) => [
          `agent-${runs}-${n}`,
          parent === null ? null : `agent-${runs}-${parent}`,
        ]);
        await lane.spawn(Object.fromEntries(spawned));
        const model = new Model(parents);
        for (const [n, one] of steps.entries()) {
          const what = `${n}: ${JSON.stringify(one)}`;
          const who = name(one.agent);
          if (one.does === 'event') {
            await lane.event(who ?? '', session, one.final ? { final: true } : {});
            model.event(one.agent, one.final);
          } else if (one.does === 'put') {
            const value = `written in step ${n}`;
            const { status } = await lane.put(who, session, one.key, value);
            expect([what, status]).toEqual([what, model.put(one.agent, one.key, value)]);
            seen.add(`put ${status}`);
          } else if (one.does === 'read') {
            const { status, body } = await lane.get(who, session, one.key);
            const answer = status === 200 ? { status, value: body.value } : { status };
            expect([what, answer]).toEqual([what, model.read(one.agent, one.key)]);
            seen.add(`read ${status}`);
          } else if (one.does === 'delete') {
            const { status } = await lane.as(who, 'DELETE', `${session}/blackboard/${one.key}`);
            expect([what, status]).toEqual([what, model.delete(one.agent, one.key)]);
          } else {
            const { status } = await lane.end(who, session);
            expect([what, status]).toEqual([what, model.end(one.agent)]);
            seen.add(`end ${status}`);
          }
        }
        for (let n = 0; n <= PERSON; n += 1) {
          const { status, body } = await lane.list(name(n), session);
          const keys = status === 200 ? body.items.map((item: { key: string }) => item.key) : null;
          expect([n, status === 200 ? { status, keys } : { status }]).toEqual([n, model.list(n)]);
        }
        expect(await lane.stored(session)).toEqual([...model.state.board.keys()].sort());
      },
    ),
    { numRuns: 40, examples: [ALWAYS as never] },
  );
  // Nothing of this is proved by answers that never came.
  for (const answer of ['put 201', 'put 404', 'put 409', 'read 200', 'read 404', 'end 403']) {
    expect([answer, seen.has(answer)]).toEqual([answer, true]);
  }
});
