import fc from 'fast-check';
import { EDGES_PER_TYPE, link, linkAll } from '../src/domain/link';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { daysAgo, linkCandidate, linkCard, warning } from './support/domain-cards';

const policy = DEFAULT_POLICY.link;
const channel = (name: string) => ({
  service: 'slack',
  operation: 'get_users_in_channel',
  input_fields: { channel: name },
});

describe('a success after a warning', () => {
  it('satisfies it and says what changed', () => {
    const edge = link(linkCard(), warning(), policy);
    expect(edge?.type).toBe('satisfies');
    expect(edge?.reason).toContain('payment amount 304 → 608');
    expect(edge?.confidence).toBeGreaterThanOrEqual(policy.threshold);
  });

  it('satisfies it when the name was nearly right, and not when it is another', () => {
    const failed = warning(channel('External'));
    expect(link(linkCard(channel('External_0')), failed, policy)?.type).toBe('satisfies');
    expect(link(linkCard(channel('general')), failed, policy)?.type).not.toBe('satisfies');
  });

  it('satisfies it when an argument that was empty is given', () => {
    const prices = { service: 'hotel-booking', operation: 'get_hotels_prices' };
    const failed = warning({ ...prices, input_fields: { hotel_names: 'null' } });
    const later = linkCard({
      ...prices,
      input_fields: { 'hotel_names.0': 'Riverside', 'hotel_names.1': 'Good Night' },
    });
    expect(link(later, failed, policy)?.type).toBe('satisfies');
  });

  it('satisfies it by the step too', () => {
    const step = { service: null, operation: null, workflow: 'release', step: 'publish' };
    expect(link(linkCard(step), warning(step), policy)?.type).toBe('satisfies');
  });

  it('does not satisfy a later warning, nor one of another operation', () => {
    const later = warning({ valid_from: daysAgo(0) });
    expect(link(linkCard(), later, policy)?.type).not.toBe('satisfies');
    const other = warning({ operation: 'cancel_reservation', similarity: 1 });
    expect(link(linkCard(), other, policy)?.type).not.toBe('satisfies');
  });
});

describe('a failure after a like success', () => {
  const failure = linkCard({
    kind: 'constraint',
    sign: 'failed',
    summary: 'Booked JFK to SFO, economy, paying 608. It failed: no seats were left.',
  });

  it('conflicts with it', () => {
    expect(link(failure, linkCandidate(), policy)?.type).toBe('conflicts');
  });

  it('does not when it was about something else, however similar the texts', () => {
    const elsewhere = linkCandidate({
      similarity: 1,
      input_fields: { origin: 'JFK', destination: 'SEA', 'payment_methods.0.amount': '608' },
    });
    expect(link(failure, elsewhere, policy)?.type).not.toBe('conflicts');
    const read = { service: 'flight-booking', operation: 'get_reservation_details' };
    const one = linkCard({ ...failure, ...read, input_fields: { reservation_id: 'R1001' } });
    const two = linkCandidate({
      ...read,
      input_fields: { reservation_id: 'R1002' },
      similarity: 1,
    });
    expect(link(one, two, policy)?.type).not.toBe('conflicts');
  });

  it('does not when only the texts are alike', () => {
    const other = linkCandidate({ operation: 'update_reservation_flights', similarity: 1 });
    expect(link(failure, other, policy)?.type).not.toBe('conflicts');
  });

  it('does not when the success came later', () => {
    const later = linkCandidate({ valid_from: daysAgo(0) });
    expect(link(failure, later, policy)?.type).toBe('satisfies');
  });

  it('does not when it repeats a mistake that the success had answered', () => {
    const again = linkCard({ ...failure, input_fields: warning().input_fields });
    const first = warning({ id: 'first', valid_from: daysAgo(3) });
    const edges = linkAll(again, [linkCandidate({ id: 'success' }), first], policy);
    expect(edges.find((edge) => edge.to === 'success')?.type).toBe('constrains');
    expect(link(again, linkCandidate({ id: 'success' }), policy)?.type).toBe('conflicts');
  });

  it('does not set one agent’s delegation against another’s', () => {
    const done = linkCandidate({ kind: 'delegation', scope: { type: 'agent', id: 'agent-b' } });
    const failed = linkCard({ ...failure, kind: 'delegation' });
    expect(link(failed, done, policy)?.type).toBe('constrains');
    const own = linkCandidate({ kind: 'delegation' });
    expect(link(failed, own, policy)?.type).toBe('conflicts');
  });
});

describe('the same key or attribute', () => {
  const note = (value: string, scope = 'agent-a') => ({
    kind: 'knowledge' as const,
    sign: 'neutral' as const,
    key: 'home_airport',
    value,
    summary: value,
    service: null,
    operation: null,
    input_fields: {},
    scope: { type: 'agent' as const, id: scope },
  });

  it('supersedes in the same scope', () => {
    const edge = link(linkCard(note('SFO')), linkCandidate(note('JFK')), policy);
    expect(edge).toMatchObject({ type: 'supersedes', confidence: 1 });
  });

  it('conflicts across scopes when the values differ, and supports when they do not', () => {
    const other = linkCandidate(note('JFK', 'agent-b'));
    expect(link(linkCard(note('SFO')), other, policy)?.type).toBe('conflicts');
    expect(link(linkCard(note('JFK')), other, policy)?.type).toBe('supports');
  });

  it('is not the same key when it is about someone else', () => {
    const other = linkCandidate({ ...note('JFK', 'agent-b'), subject: 'client-8' });
    const own = linkCard({ ...note('SFO'), subject: 'client-7' });
    expect(link(own, other, policy)?.type).not.toBe('conflicts');
  });

  const fact = (summary: string) => ({
    ...note(summary),
    key: null,
    subject: 'anna',
    similarity: 0.9,
  });

  it('conflicts when an attribute of the subject has another value', () => {
    const newer = linkCard(fact("Anna's billing address is 12 Elm Street."));
    const older = linkCandidate(fact("Anna's billing address is 4 Oak Road."));
    expect(link(newer, older, policy)?.type).toBe('conflicts');
    const same = linkCandidate(fact("Anna's billing address is now 12 Elm Street"));
    expect(link(newer, same, policy)?.type).toBe('supports');
  });

  it('does not when two things are said of one subject', () => {
    const edge = link(
      linkCard(fact('Anna is 34.')),
      linkCandidate(fact('Anna is a vegetarian.')),
      policy,
    );
    expect(edge?.type).not.toBe('conflicts');
  });
});

describe('the edges of a new card', () => {
  it('support only a few of many, the strongest', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      linkCandidate({ id: `old-${index}`, similarity: index / 40 }),
    );
    const edges = linkAll(linkCard(), many, policy);
    expect(edges).toHaveLength(EDGES_PER_TYPE.supports);
    expect(edges[0]?.to).toBe('old-39');
  });

  it('resolve every warning that the success answers', () => {
    const many = Array.from({ length: 12 }, (_, index) => warning({ id: `old-${index}` }));
    const edges = linkAll(linkCard(), many, policy);
    expect(edges.filter((edge) => edge.type === 'satisfies')).toHaveLength(12);
  });

  it('run from the newer card, also when the older one is filed last', () => {
    const late = { ...warning({ id: 'late' }), valid_from: daysAgo(5) };
    const [edge] = linkAll(late, [linkCandidate({ id: 'success' })], policy);
    expect(edge).toMatchObject({ type: 'satisfies', from: 'success', to: 'late' });
  });

  it('leave out what is below the threshold', () => {
    const far = linkCandidate({ service: 'slack', operation: 'get_channels', similarity: 0.1 });
    expect(link(linkCard(), far, policy)).toBeNull();
    expect(link(linkCard(), linkCandidate(), { ...policy, threshold: 1.01 })).toBeNull();
  });

  const field = fc.record({
    sign: fc.constantFrom('worked', 'failed', 'neutral'),
    kind: fc.constantFrom('experience', 'constraint', 'delegation', 'knowledge'),
    operation: fc.constantFrom('book', 'read', null),
    input_fields: fc.dictionary(
      fc.constantFrom('id', 'amount', 'note'),
      fc.string({ maxLength: 8 }),
    ),
    valid_from: fc.integer({ min: 0, max: 5 }).map(daysAgo),
    similarity: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  }) as fc.Arbitrary<Partial<ReturnType<typeof linkCandidate>>>;

  it('do not depend on the order of the candidates, and stay within bounds', () => {
    fc.assert(
      fc.property(field, fc.array(field, { maxLength: 12 }), (own, others) => {
        const card = linkCard(own);
        const all = others.map((other, index) => linkCandidate({ ...other, id: `old-${index}` }));
        const edges = linkAll(card, all, policy);
        expect(linkAll(card, [...all].reverse(), policy)).toEqual(edges);
        for (const edge of edges) {
          expect(edge.confidence).toBeGreaterThanOrEqual(policy.threshold);
          expect(edge.confidence).toBeLessThanOrEqual(1);
          expect([edge.from, edge.to]).toContain('new');
        }
      }),
    );
  });

  it('never contradict across operations, whatever the similarity', () => {
    fc.assert(
      fc.property(field, field, (own, other) => {
        const edge = link(
          linkCard({ ...own, operation: 'book' }),
          linkCandidate({ ...other, operation: 'read', similarity: 1 }),
          policy,
        );
        expect(['conflicts', 'satisfies']).not.toContain(edge?.type);
      }),
    );
  });
});
