import fc from 'fast-check';
import { dayStart } from '../src/domain/consolidation/day-start';
import { type Episode, isUnresolvedWarning } from '../src/domain/consolidation/episode';
import { memberOf, topicOf } from '../src/domain/consolidation/groups';
import { movedAmong } from '../src/domain/consolidation/moved';
import {
  type ConsolidationPlan,
  mostRetired,
  planConsolidation,
} from '../src/domain/consolidation/plan';
import { episode, failure } from './support/episodes';

const BEFORE = '2026-03-03T00:00:00.000Z';
const POLICY = { max_retire_share: 0.5, min_cards: 20 };
const plan = (cards: readonly Episode[], activeCards = cards.length) =>
  planConsolidation(cards, { policy: POLICY, activeCards, before: BEFORE });

const pick = <T>(...values: T[]) => fc.constantFrom(...values);

/** Mostly the first: one scope has to hold enough of a kind for a group. */
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 12 },
    { arbitrary: pick(...others), weight: 1 },
  );

const WORKED_LATER = 'the same operation mailer.send_batch: it worked later, batch size 180 → 80';

/** What a card may be in ways that matter; ids and conflicts are given afterwards. */
const anyCard = fc.record({
  failed: fc.boolean(),
  resolved: pick(null, WORKED_LATER),
  status: mostly('active', 'pending', 'validated', 'archived', 'quarantined'),
  subject: mostly(null, 'ada-smith', 'bob-jones'),
  project: mostly(null, 'alpha'),
  visibility: mostly('private', 'household'),
  share: mostly('', 'agent:scout', 'group:crew'),
  service: mostly('mailer', 'printer', null),
  topic: mostly(null, 'batches'),
  scope: mostly('ada', 'bob'),
  key: mostly(null, 'a-note'),
  flagged: mostly(false, true),
  writer: mostly('runtime', 'agent', 'person'),
  held: mostly(false, true),
  spoken: mostly(false, true),
  minute: fc.nat({ max: 3_000 }),
  vector: pick(null, [1, 0], [0.9, 0.1], [0, 1]),
  uses: fc.nat({ max: 3 }),
  conflict: mostly(null, 'open', 'settled'),
  other: fc.nat(),
});

type Drawn = typeof anyCard extends fc.Arbitrary<infer T> ? T : never;

function cardsOf(drawn: readonly Drawn[]): Episode[] {
  return drawn.map((one, at) => {
    const time = new Date(Date.parse('2026-03-01T00:00:00Z') + one.minute * 60_000).toISOString();
    const other = one.other % drawn.length;
    return (one.failed ? failure : episode)({
      id: `card-${at}`,
      status: one.status as Episode['status'],
      resolved: one.failed ? one.resolved : null,
      subject: one.subject,
      project: one.project,
      visibility: one.visibility as Episode['visibility'],
      share: one.share,
      topic: one.topic,
      scope: { type: 'agent', id: one.scope },
      key: one.key,
      flags: one.flagged ? ['instruction_like'] : [],
      writer: one.writer as Episode['writer'],
      held: one.held,
      spoken: one.spoken,
      recorded_at: time,
      valid_from: time,
      use_count: one.uses,
      vector: one.vector === null ? null : { model: 'm', values: one.vector },
      hints: { service: one.service, operation: one.service === null ? null : 'send_batch' },
      conflicts:
        one.conflict === null || other === at
          ? []
          : [{ with: `card-${other}`, open: one.conflict === 'open' }],
    });
  });
}

const anyScope = fc.array(anyCard, { minLength: 1, maxLength: 60 }).map(cardsOf);

/** Each card that goes, with those that it goes together with. */
function goings({ groups, merges }: ConsolidationPlan): { goes: string; with: Episode[] }[] {
  return [
    ...groups.flatMap(({ retires, sources }) => retires.map((goes) => ({ goes, with: sources }))),
    ...merges.flatMap(({ keep, merged }) =>
      merged.map(({ id }) => ({ goes: id, with: [keep, ...merged] })),
    ),
  ];
}

describe('a plan of a night, whatever the scope holds', () => {
  test('has something to show: notes, merges and what is left', () => {
    const plans = fc.sample(anyScope, { numRuns: 200, seed: 7 }).map((cards) => plan(cards));
    expect(plans.filter(({ groups }) => groups.length > 0).length).toBeGreaterThan(60);
    expect(plans.filter(({ merges }) => merges.length > 0).length).toBeGreaterThan(3);
  });

  test('retires no more than the share, unless the scope is small', () => {
    fc.assert(
      fc.property(anyScope, fc.nat({ max: 120 }), (cards, active) => {
        expect(goings(plan(cards, active)).length).toBeLessThanOrEqual(mostRetired(active, POLICY));
      }),
    );
    expect(mostRetired(19, POLICY)).toBe(Number.POSITIVE_INFINITY);
    expect(mostRetired(21, POLICY)).toBe(10);
  });

  test('retires each card once, for one note or one card that stays', () => {
    fc.assert(
      fc.property(anyScope, (cards) => {
        const { groups, merges } = plan(cards);
        const gone = goings({ groups, merges }).map(({ goes }) => goes);
        expect(new Set(gone).size).toBe(gone.length);
        const told = groups.flatMap(({ sources }) => sources.map(({ id }) => id));
        expect(new Set(told).size).toBe(told.length);
        for (const { keep } of merges) expect(gone).not.toContain(keep.id);
      }),
    );
  });

  test('retires no warning that nothing resolved, and nothing that is not a pass to touch', () => {
    fc.assert(
      fc.property(anyScope, (cards) => {
        const byId = new Map(cards.map((card) => [card.id, card]));
        for (const { goes } of goings(plan(cards))) {
          const card = byId.get(goes);
          if (card === undefined) throw new Error('a plan is of the cards it was given');
          expect(isUnresolvedWarning(card)).toBe(false);
          expect(card).toMatchObject({ key: null, flags: [], held: false });
          expect(['pending', 'active']).toContain(card.status);
          expect(card.writer).not.toBe('person');
          expect(card.recorded_at < BEFORE).toBe(true);
          expect(card.conflicts.some(({ open }) => open)).toBe(false);
        }
      }),
    );
  });

  test('puts nothing together that has other readers, another member or another project', () => {
    fc.assert(
      fc.property(anyScope, (cards) => {
        const { groups, merges } = plan(cards);
        for (const group of groups) {
          expect(new Set(group.sources.map(memberOf)).size).toBe(1);
          expect(new Set(group.sources.map(topicOf)).size).toBe(1);
          expect(group.sources.filter(({ spoken }) => !spoken).length).toBeGreaterThanOrEqual(3);
          const { scope, subject, project, visibility, share } = group;
          for (const card of group.sources) {
            expect(card).toMatchObject({ scope, subject, project, visibility, share });
          }
        }
        for (const { keep, merged } of merges) {
          for (const card of merged) {
            expect(memberOf(card)).toBe(memberOf(keep));
            expect([card.kind, card.sign]).toEqual([keep.kind, keep.sign]);
          }
        }
      }),
    );
  });

  test('tells both sides of what was settled, or neither', () => {
    fc.assert(
      fc.property(anyScope, (cards) => {
        for (const { sources } of plan(cards).groups) {
          const ids = sources.map(({ id }) => id);
          for (const card of sources) {
            for (const conflict of card.conflicts) expect(ids).toContain(conflict.with);
          }
        }
      }),
    );
  });

  test('is the same in whatever order the cards come', () => {
    fc.assert(
      fc.property(
        anyScope.chain((cards) =>
          fc.tuple(fc.constant(cards), fc.shuffledSubarray(cards, { minLength: cards.length })),
        ),
        ([cards, shuffled]) => {
          expect(plan(shuffled)).toEqual(plan(cards));
        },
      ),
    );
  });
});

describe('a plan', () => {
  test('takes the oldest first, and leaves the rest for tomorrow', () => {
    const cards = Array.from({ length: 30 }, (_, at) =>
      episode({ id: `c${10 + at}`, recorded_at: new Date(1.77e12 + at * 60_000).toISOString() }),
    );
    const [group] = plan(cards).groups;
    expect(group?.retires).toEqual(cards.slice(0, 15).map(({ id }) => id));
  });

  test('ends where the share is used up before it comes to a group', () => {
    const minute = (at: number) => new Date(1.77e12 + at * 60_000).toISOString();
    const cards = Array.from({ length: 30 }, (_, at) =>
      episode({
        id: `c${10 + at}`,
        recorded_at: minute(at),
        hints: { service: at < 15 ? 'mailer' : 'printer' },
      }),
    );
    const { groups } = plan(cards);
    expect(groups.map(({ topic, retires }) => [topic, retires.length])).toEqual([
      ['mailer.send_batch', 15],
    ]);
  });

  test('gives room that a group cannot use to another', () => {
    const old = Array.from({ length: 2 }, (_, at) =>
      episode({
        id: `old-${at}`,
        hints: { service: 'printer' },
        recorded_at: '2026-02-01T00:00:00Z',
      }),
    );
    const cards = Array.from({ length: 4 }, (_, at) => episode({ id: `new-${at}` }));
    const { groups } = planConsolidation([...old, ...cards], {
      policy: { max_retire_share: 0.2, min_cards: 1 },
      activeCards: 20,
      before: BEFORE,
    });
    expect(groups.map(({ retires }) => retires)).toEqual([['new-0', 'new-1', 'new-2', 'new-3']]);
  });

  test('merges near-duplicates into the best of them, by their inputs too', () => {
    const vector = { model: 'm', values: [1, 0] };
    const [a, b, far] = [
      episode({ id: 'a', vector, use_count: 2 }),
      episode({ id: 'b', vector }),
      episode({ id: 'far', vector, input_fields: { order_id: 'A-77' } }),
    ];
    const other = episode({ id: 'other', vector: { model: 'another', values: [1, 0] } });
    const merges = (cards: Episode[]) =>
      plan(cards).merges.map(({ keep, merged }) => [keep.id, merged.map(({ id }) => id)]);
    expect(merges([a, b])).toEqual([['a', ['b']]]);
    expect(merges([b, far])).toEqual([]);
    expect(merges([b, other])).toEqual([]);
    expect(merges([b, { ...a, status: 'validated', use_count: 0 }])).toEqual([['a', ['b']]]);
    expect(merges([a, { ...b, scope: { type: 'agent', id: 'bob' } }])).toEqual([]);
    const open = failure({ id: 'open', vector });
    expect(merges([open, { ...open, id: 'open-2' }])).toEqual([]);
  });

  test('is of the day before in the zone of the workspace, also where clocks change', () => {
    expect(dayStart('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z');
    expect(dayStart('2026-03-30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T22:00:00.000Z');
    expect(dayStart('2026-03-08', 'America/New_York').toISOString()).toBe(
      '2026-03-08T05:00:00.000Z',
    );
  });
});

describe('a source that was read', () => {
  const card = episode({ id: 'a' });
  const planned = { id: 'a', version: 1, share: '', retires: true };
  const reason = (now: Episode | null, source = planned) =>
    movedAmong([source], new Map(now === null ? [] : [['a', now]]), Date.parse(BEFORE))[0]?.reason;

  test.each([
    ['gone', null],
    ['changed', { ...card, version: 2 }],
    ['not_in_use', { ...card, status: 'deleted' as const, version: 2 }],
    ['expired', { ...card, expires_at: '2026-03-02T12:00:00Z' }],
    ['shares_changed', { ...card, share: 'agent:scout' }],
    ['undecided', { ...card, held: true }],
    ['undecided', { ...card, conflicts: [{ with: 'b', open: true }] }],
    ['undecided', { ...card, conflicts: [{ with: 'b', open: false }] }],
    ['unresolved', failure({ id: 'a' })],
    [undefined, card],
  ])('is named %s where that is what became of it', (expected, now) => {
    expect(reason(now)).toBe(expected);
  });
});

test('an operation with enough episodes has a note of its own, the rest of its service shares one', () => {
  const of = (operation: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      episode({ id: `${operation}-${at}`, hints: { service: 'mailer', operation } }),
    );
  const cards = [...of('send_batch', 4), ...of('list', 2), ...of('archive', 1), ...of('purge', 1)];
  const { groups } = plan(cards);
  expect(groups.map(({ topic, sources }) => [topic, sources.length])).toEqual([
    ['mailer', 4],
    ['mailer.send_batch', 4],
  ]);
});
