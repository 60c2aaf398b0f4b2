import fc from 'fast-check';
import { memberOf } from '../src/domain/consolidation/groups';
import { DEFAULT_POLICY } from '../src/domain/policy';
import type { Candidate } from '../src/domain/reflection/candidate';
import type { ReflectionCard, ReflectionEdge } from '../src/domain/reflection/card';
import { findCandidates } from '../src/domain/reflection/find';
import { limitsIn } from '../src/domain/reflection/limits';
import { minute, success, warning } from './support/reflection-cards';

const find = (cards: readonly ReflectionCard[], edges: readonly ReflectionEdge[] = []) =>
  findCandidates(cards, edges, DEFAULT_POLICY.link);
const of = (type: Candidate['type'], found: readonly Candidate[]) =>
  found.filter((one) => one.type === type);

/** A payment that was too small, and the whole one that answered it. */
function paid(n: number, price: number, more: object = {}): [ReflectionCard, ReflectionCard] {
  const call = { hints: { service: 'booking', operation: 'book' }, ...more };
  return [
    warning({
      id: `short-${n}`,
      valid_from: minute(n * 10),
      input_fields: { room: `${n}`, payment_amount: `${price / 2}` },
      summary: `Booked room ${n}, paying ${price / 2}. It failed: the payment amount does not add up.`,
      ...call,
      hints: { ...call.hints, error_signature: 'the payment amount does not add up' },
    }),
    success({
      id: `whole-${n}`,
      valid_from: minute(n * 10 + 5),
      input_fields: { room: `${n}`, payment_amount: `${price}` },
      summary: `Booked room ${n}, paying ${price}. It worked.`,
      ...call,
    }),
  ];
}
const answered = (...ns: number[]): ReflectionEdge[] =>
  ns.map((n) => ({ type: 'satisfies', from: `whole-${n}`, to: `short-${n}` }));

describe('a fact', () => {
  test('tells what one and the same change resolved in failures of different events', () => {
    const cards = [...paid(1, 608), ...paid(2, 420)];
    const [fact, ...others] = of('fact', find(cards, answered(1, 2)));
    expect(others).toEqual([]);
    expect(fact).toMatchObject({ evidence: 4, agents: 1, service: 'booking', operation: 'book' });
    expect(fact?.text).toBe(
      'booking.book failed 2 of 4 times with “the payment amount does not add up”; 2 of 2 such failures ' +
        'worked once payment amount was changed (payment amount 210 → 420): check it before calling.',
    );
    expect([...(fact?.sources ?? [])].sort()).toEqual(cards.map(({ id }) => id).sort());
  });

  test.each([
    ['a figure', 'the batch must be at most 20', 'Check the input before retrying.'],
    ['a figure, advised otherwise', 'got 70', 'Check the amounts before retrying.'],
    ['a word', 'the batch is too large', 'Check the input before retrying.'],
  ])('quotes a reason that ends in %s without the advice after it', (_, reason, told) => {
    const cards = [150, 180, 200].map((size, at) =>
      warning({
        id: `big-${at}`,
        input_fields: { batch_size: `${size}` },
        summary: `Called mailer.send_batch with batch_size ${size}. It failed: ${reason}. ${told}`,
        hints: { error_signature: reason.replace(/\d+/, '…'), error_family: 'validation' },
      }),
    );
    const worked = [5, 8, 10].map((size, at) =>
      success({ id: `small-${at}`, input_fields: { batch_size: `${size}` } }),
    );
    const [fact] = of('fact', find([...cards, ...worked]));
    expect(fact?.text).toContain(`failed 3 of 6 times with “${reason}”`);
    expect(fact?.text).not.toContain('retrying');
  });

  test('is none where only one event shows it, or two cards are of one event', () => {
    expect(of('fact', find(paid(1, 608), answered(1)))).toEqual([]);
    const twice = [...paid(1, 608, { event: 'e' }), ...paid(2, 420, { event: 'e' })];
    expect(of('fact', find(twice, answered(1, 2)))).toEqual([]);
  });

  test('tells what every success has and every failure lacks, where the error names it or many show it', () => {
    const cards = [150, 180, 200].map((size, at) =>
      warning({
        id: `big-${at}`,
        input_fields: { template: 'welcome', batch_size: `${size}` },
        summary: `Called mailer.send_batch with batch_size ${size}. It failed: the batch is too large.`,
        hints: { error_signature: 'the batch is too large' },
      }),
    );
    const worked = [50, 80, 100].map((size, at) =>
      success({ id: `small-${at}`, input_fields: { template: 'welcome', batch_size: `${size}` } }),
    );
    const [fact] = of('fact', find([...cards, ...worked]));
    expect(fact?.text).toContain(
      'with batch size 150 or more it failed, with 100 or less it worked',
    );
    expect(fact).toMatchObject({ evidence: 6 });
  });

  test('is no guess: an input that the error does not mean, while it names another, tells nothing', () => {
    const call = { service: 'bank', operation: 'send' };
    const cards = [10, 10, 10].map((amount, at) =>
      warning({
        id: `no-${at}`,
        input_fields: { amount: `${amount}`, recipient: 'x' },
        summary: 'Sent money. It failed: the recipient should be a valid account.',
        hints: { ...call, error_signature: 'the recipient should be a valid account' },
      }),
    );
    const worked = [1, 2, 3].map((amount, at) =>
      success({
        id: `yes-${at}`,
        input_fields: { amount: `${amount}`, recipient: `account ${at}` },
        hints: call,
      }),
    );
    for (const { text } of of('fact', find([...cards, ...worked]))) {
      expect(text).not.toContain('with amount');
    }
  });

  test('tells a limit that several warnings name', () => {
    const cards = [1, 2].map((n) =>
      warning({
        id: `over-${n}`,
        input_fields: {},
        summary: `Made an invoice. It failed: at most 50 lines per invoice are allowed, not ${60 + n}.`,
        hints: { service: 'billing', operation: 'invoice', error_signature: null },
      }),
    );
    const [fact] = of('fact', find(cards));
    expect(fact?.text).toBe(
      'billing.invoice takes at most 50 lines per invoice: 2 of 2 failed calls were told so.',
    );
  });

  test('reads limits, and no figure that only stands there', () => {
    const marks = (text: string) => limitsIn(text).map(({ text: told }) => told);
    expect(marks('It failed: the limit is 100 per batch.')).toEqual(['at most 100 per batch']);
    expect(marks('maximum of 25 MB')).toEqual(['at most 25 mb']);
    expect(marks('No more than 1,000 rows and 3 tries.')).toEqual(['at most 1,000 rows']);
    expect(marks('at least 8 characters')).toEqual(['at least 8 characters']);
    expect(marks('It failed after 3 tries with code 500.')).toEqual([]);
  });
});

describe('a link', () => {
  const call = { service: 'booking', operation: 'book' };
  const [short, whole] = paid(1, 608, { hints: call });
  const vector = { model: 'm', values: [1, 0] };

  test('joins a warning with the success that answers it, where filing did not', () => {
    const [link] = of(
      'link',
      find([
        { ...short, vector },
        { ...whole, vector },
      ]),
    );
    expect(link).toMatchObject({ link: 'satisfies', from: 'whole-1', to: 'short-1', evidence: 2 });
    expect(link?.confidence).toBeGreaterThanOrEqual(0.8);
  });

  test('is drawn between no two that have one, and answers no warning twice', () => {
    const cards = [
      { ...short, vector },
      { ...whole, vector },
    ];
    expect(of('link', find(cards, [{ type: 'supports', from: 'short-1', to: 'whole-1' }]))).toEqual(
      [],
    );
    const again = { ...whole, id: 'whole-1b', event: 'later', vector };
    const found = of('link', find([...cards, again], [answered(1)].flat()));
    expect(found.filter((one) => one.type === 'link' && one.link === 'satisfies')).toEqual([]);
  });
});

describe('a skill', () => {
  const step = (task: string, n: number, operation: string, more: object = {}) =>
    success({
      id: `${task}-${n}`,
      task,
      valid_from: minute(n),
      hints: { service: 'shop', operation, task_type: 'refund' },
      input_fields: { order: task },
      ...more,
    });
  const worked = (task: string) => [
    step(task, 1, 'find_order'),
    step(task, 3, 'check_payment'),
    step(task, 4, 'refund'),
  ];
  const failed = warning({
    id: 'a-2',
    task: 'a',
    valid_from: minute(2),
    hints: {
      service: 'shop',
      operation: 'check_payment',
      task_type: 'refund',
      error_family: 'timeout',
    },
    summary: 'Checked the payment. It failed: the service timed out. Try again after a while.',
  });

  test('is a sequence that worked in two tasks, with what failed on the way', () => {
    const [skill] = of('skill', find([...worked('a'), failed, ...worked('b')]));
    expect(skill).toMatchObject({
      name: 'refund',
      document: {
        steps: [
          { service: 'shop', operation: 'find_order' },
          { service: 'shop', operation: 'check_payment' },
          { service: 'shop', operation: 'refund' },
        ],
        failure_handling: [{ error_family: 'timeout' }],
      },
    });
    expect(skill?.type === 'skill' && skill.cases).toHaveLength(2);
  });

  test('is none of one task, of two steps, or of a task that ended badly', () => {
    expect(of('skill', find([...worked('a'), failed]))).toEqual([]);
    const short = (task: string) => worked(task).slice(0, 2);
    expect(of('skill', find([...short('a'), ...short('b')]))).toEqual([]);
    const bad = step('b', 9, 'close', { kind: 'constraint', sign: 'failed' });
    expect(of('skill', find([...worked('a'), ...worked('b'), bad]))).toEqual([]);
  });
});

const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const anyCard = fc.record({
  failed: fc.boolean(),
  subject: pick(null, 'ada-smith'),
  project: pick(null, null, 'alpha'),
  visibility: pick('private' as const, 'household' as const),
  share: pick('', '', 'agent:scout'),
  service: pick('mailer', 'printer', null),
  size: fc.integer({ min: 1, max: 300 }),
  task: pick(null, 't1', 't2'),
  minute: fc.nat({ max: 500 }),
  key: pick(null, null, null, 'a-note'),
  flagged: pick(false, false, false, true),
  status: pick('active', 'active', 'pending', 'archived', 'quarantined'),
  writer: pick('runtime', 'runtime', 'agent', 'system'),
  answers: fc.nat({ max: 30 }),
});

describe('whatever the cards are', () => {
  const drawn = fc.array(anyCard, { minLength: 2, maxLength: 30 }).map((all) => {
    const cards = all.map((one, at) =>
      (one.failed ? warning : success)({
        id: `card-${at}`,
        task: one.task,
        valid_from: minute(one.minute),
        subject: one.subject,
        project: one.project,
        visibility: one.visibility,
        share: one.share,
        key: one.key,
        flags: one.flagged ? ['instruction_like'] : [],
        status: one.status as ReflectionCard['status'],
        writer: one.writer as ReflectionCard['writer'],
        input_fields: { template: 'welcome', batch_size: `${one.size}` },
        hints: { service: one.service, operation: one.service === null ? null : 'send' },
      }),
    );
    const edges = all.flatMap((one, at): ReflectionEdge[] =>
      !one.failed && one.answers < all.length && one.answers !== at
        ? [{ type: 'satisfies', from: `card-${at}`, to: `card-${one.answers}` }]
        : [],
    );
    return { cards, edges };
  });

  test('a finding rests on cards of one member and one set of readers, and on nothing that may not be used', () => {
    fc.assert(
      fc.property(drawn, ({ cards, edges }) => {
        const byId = new Map(cards.map((card) => [card.id, card]));
        for (const { type, sources, evidence, confidence } of find(cards, edges)) {
          const used = sources.flatMap((id) => byId.get(id) ?? []);
          expect(used).toHaveLength(sources.length);
          expect(new Set(used.map(memberOf)).size).toBe(1);
          expect(evidence).toBeGreaterThanOrEqual(2);
          expect(confidence).toBeLessThanOrEqual(type === 'link' ? 1 : 0.95);
          for (const card of used) {
            expect(card.key).toBeNull();
            expect(card.flags).toEqual([]);
            expect(card.writer).not.toBe('system');
            expect(['active', 'pending', 'validated']).toContain(card.status);
          }
        }
      }),
    );
  });

  test('the same cards give the same findings, in whatever order they come', () => {
    fc.assert(
      fc.property(drawn, fc.infiniteStream(fc.nat()), ({ cards, edges }, dice) => {
        const shuffled = [...cards]
          .map((card) => [dice.next().value, card] as const)
          .sort(([a], [b]) => a - b)
          .map(([, card]) => card);
        expect(find(shuffled, edges)).toEqual(find(cards, edges));
      }),
    );
  });
});
