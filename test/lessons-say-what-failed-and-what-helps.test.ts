import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SettledEvent } from '../src/contracts/event';
import { digestOf } from '../src/domain/consolidation/digest';
import type { Episode } from '../src/domain/consolidation/episode';
import { lessonsOf, MOST_LESSONS } from '../src/domain/consolidation/lessons';
import { NOTE_LIMIT, noteText } from '../src/domain/consolidation/note-text';
import { seenAgain } from '../src/domain/consolidation/seen-again';
import { distill } from '../src/domain/distill/distill';
import { describeWithData } from './support/data';
import { episode, failure } from './support/episodes';

const lessons = (...sources: Episode[]) => lessonsOf({ sources }).map(({ text }) => text);
const sized = (make: typeof episode, id: string, size: number, over: Partial<Episode> = {}) =>
  make({ id, input_fields: { template: 'welcome', batch_size: String(size) }, ...over });

describe('lessons without a model', () => {
  test('say how often a call failed and why, what to do, and what made the difference', () => {
    const [text] = lessons(
      sized(failure, 'f1', 180),
      sized(failure, 'f2', 250),
      sized(episode, 'w1', 80),
      sized(episode, 'w2', 100),
    );
    expect(text).toBe(
      'mailer.send_batch failed 2 of 4 times: the limit is 100 per batch. Ask for less at once. ' +
        'With batch size 180 or more it failed, with 100 or less it worked. Still open, last on 2026-03-02.',
    );
  });

  test('tell the advice once, where a reason that ends in a number runs into it', () => {
    const summary =
      'Refunded orders. It failed: the limit is 40 per batch, got 50. Wait before retrying, and send less at once.';
    const hints = { service: 'billing', operation: 'refund', error_family: 'rate_limit' } as const;
    const cards = ['a', 'b', 'c'].map((id) => failure({ id, summary, hints }));
    const [text] = lessons(...cards);
    expect(text).toContain(
      'billing.refund failed all 3 times: the limit is 40 per batch, got 50. Wait before retrying, and send less at once.',
    );
    expect(text?.match(/Wait before retrying/g)).toHaveLength(1);
  });

  test('say what changed where it then worked', () => {
    const resolved = 'the same operation flights.book: it worked later, payment amount 304 → 608';
    const [text] = lessons(
      failure({
        id: 'f',
        resolved,
        summary:
          'Booked JFK to SFO, paying 304. It failed: the total price is 608, but 304 was paid. Check the amounts before retrying.',
        hints: { service: 'flights', operation: 'book', error_signature: 'the total price is …' },
      }),
      episode({ id: 'w', hints: { service: 'flights', operation: 'book' } }),
    );
    expect(text).toBe(
      'flights.book failed 1 of 2 times: the total price is 608, but 304 was paid. Check the amounts before retrying. ' +
        'It worked later with payment amount 304 → 608. Last on 2026-03-02.',
    );
  });

  test('of many changes tell the one that the reason speaks of, else the first that is whole', () => {
    const worked = 'the same operation flights.book: it worked later, ';
    const told = (reason: string, change: string) =>
      lessons(
        failure({
          id: 'f',
          resolved: `${worked}${change}`,
          summary: `Booked JFK to SFO. It failed: ${reason}. Check the arguments before retrying.`,
          hints: { service: 'flights', operation: 'book', error_signature: 'it was not to be' },
        }),
      )[0];
    const dates =
      'description There will be a potluck lunch, so… → There will be a potluck lunch, so feel…, ' +
      'end time 17:00:00 → 17:00 and start time 13:00:00 → 13:00';
    expect(told('unconverted data remains', dates)).toContain(
      'It worked later with end time 17:00:00 → 17:00. Last on',
    );
    const paid =
      'payment amount 250, 5, 0 → 305 and payment id certificate_75, certificate_485638… → credit_card_44, credit_card_73';
    expect(told('the total price is 305', paid)).toContain('with payment amount 250, 5, 0 → 305.');
    expect(told('payment method certificate_75 was not found', paid)).toContain(
      'with payment id certificate_75, certificate_485638… → credit_card_44, credit_card_73.',
    );
  });

  test('close a quotation that is cut, and tell a task by what it was', () => {
    const [text] = lessons(
      failure({
        id: 'f',
        kind: 'delegation',
        summary: `desk-agent-7 was to pay the bill. It failed: the agent reported “the file ${'says little and '.repeat(20)}nothing”.`,
        hints: { service: 'desk', operation: 'delegated_task', error_signature: null },
        input_fields: {},
      }),
    );
    expect(text).toMatch(/the agent reported “the file [^“”]*…” /);
    expect(text).toContain('For example: the task was to pay the bill.');
    expect(text).not.toContain('desk-agent-7');
  });

  test('call no field missing whose value must not be shown, and name no redacted one', () => {
    const long = 'word '.repeat(60);
    const mail = '[EMAIL_abcdefghij23]';
    const told = lessons(
      sized(failure, 'f1', 80, { input_fields: { query: long, recipient: mail } }),
      sized(failure, 'f2', 80, { input_fields: { query: long, recipient: mail } }),
      sized(episode, 'w1', 80, { input_fields: { query: 'lunch', recipient: mail } }),
      sized(episode, 'w2', 80, { input_fields: { query: 'lunch', recipient: mail } }),
    ).join(' ');
    expect(told).not.toMatch(/without query|an address/);
    const onlyGood = { hints: { service: 'mailer', operation: 'list' } };
    const typical = lessons(
      ...['a', 'b', 'c'].map((id) => episode({ id, ...onlyGood, input_fields: { to: mail } })),
    ).join(' ');
    expect(typical).toContain('mailer.list worked all 3 times. Last on 2026-03-02:');
  });

  test('lay a failure at an id only where the reason speaks of it', () => {
    const booked = (make: typeof episode, id: string, card: string, reason = '') =>
      make({
        id,
        input_fields: { payment_id: card },
        ...(reason === ''
          ? {}
          : { summary: `Booked a flight. It failed: ${reason}. Check the arguments.` }),
        hints: { service: 'flights', operation: 'book', error_signature: reason || null },
      });
    const good = ['c1', 'c2'].map((id) => booked(episode, id, 'credit_card_44'));
    const [full] = lessons(
      booked(failure, 'f', 'gift_card_81', 'no seats were left on flight HAT290'),
      ...good,
    );
    expect(full).not.toContain('gift_card_81');
    const [unknown] = lessons(
      booked(failure, 'f', 'gift_card_81', 'the payment method was not found'),
      ...good,
    );
    expect(unknown).toContain(
      'With payment id gift_card_81 it failed, with credit_card_44 it worked.',
    );
  });

  test('give no example that says nothing', () => {
    const summary = 'Called unknown_tool on tools. It failed: the user was not found. Look it up.';
    const hints = { service: 'tools', operation: 'unknown_tool', error_signature: null };
    const [text] = lessons(failure({ id: 'f', summary, hints, input_fields: {} }));
    expect(text).not.toContain('For example');
  });

  test('say what works, how often and with what', () => {
    expect(
      lessons(sized(episode, 'a', 80), sized(episode, 'b', 80), sized(episode, 'c', 90)),
    ).toEqual([
      'mailer.send_batch worked all 3 times (mostly template welcome and batch size 80). ' +
        'Last on 2026-03-02: Called mailer.send_batch with batch_size 80. It worked: 80 sent.',
    ]);
  });

  test('put repeated failures first, then resolved ones, then single ones, then what worked', () => {
    const at = (operation: string) => ({ service: 'mailer', operation });
    const told = lessons(
      episode({ id: 'w', hints: at('list') }),
      failure({ id: 's', hints: { ...at('single') } }),
      failure({
        id: 'r',
        hints: { ...at('resolved') },
        resolved: 'x: it worked later, size 2 → 1',
      }),
      failure({ id: 'm1', hints: { ...at('many') } }),
      failure({ id: 'm2', hints: { ...at('many') } }),
    );
    expect(told.map((text) => text.split(' ')[0])).toEqual([
      'mailer.many',
      'mailer.resolved',
      'mailer.single',
      'mailer.list',
    ]);
  });

  test('keep the words of what proved useful', () => {
    const told = lessons(
      episode({
        id: 'a',
        use_count: 3,
        summary: 'Sent the newsletter by template spring-26. It worked.',
      }),
      episode({ id: 'b' }),
      episode({ id: 'c' }),
    );
    expect(told[0]).toBe(
      'Proved useful 3 times, on 2026-03-02: Sent the newsletter by template spring-26. It worked.',
    );
  });

  test('show no value that must not be shown', () => {
    const fields = { password: 'hunter-two', body: 'a long text', mail: 'someone@example.com' };
    const told = lessons(
      episode({ id: 'a', input_fields: fields }),
      episode({ id: 'b', input_fields: fields }),
      failure({ id: 'c', input_fields: { ...fields, password: 'other' } }),
    ).join('\n');
    expect(told).not.toMatch(/hunter-two|a long text|someone@example/);
  });

  test('are the same in whatever order the cards come, few and short', () => {
    const card = fc
      .record({
        failed: fc.boolean(),
        operation: fc.constantFrom(
          'send',
          'list',
          'open',
          'close',
          'merge',
          'split',
          'read',
          'tag',
          'x',
        ),
        size: fc.nat({ max: 300 }),
        reason: fc.constantFrom(
          'the limit is 100 per batch',
          'no such list',
          'it took too long',
          '',
        ),
        minute: fc.nat({ max: 59 }),
        uses: fc.nat({ max: 2 }),
      })
      .map(({ failed, operation, size, reason, minute, uses }) =>
        (failed ? failure : episode)({
          summary: failed
            ? `Called ${operation}. It failed${reason === '' ? '.' : `: ${reason}.`} Look twice.`
            : `Called ${operation} with ${size}. It worked.`,
          hints: { service: 'mailer', operation, error_signature: failed ? reason || null : null },
          input_fields: { size: String(size) },
          valid_from: `2026-03-02T08:${String(minute).padStart(2, '0')}:00.000Z`,
          use_count: uses,
        }),
      );
    const cards = fc
      .array(card, { minLength: 3, maxLength: 50 })
      .map((drawn) => drawn.map((one, at) => ({ ...one, id: `card-${at}` })));
    fc.assert(
      fc.property(
        cards.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const told = lessonsOf({ sources: all });
          expect(lessonsOf({ sources: shuffled })).toEqual(told);
          expect(told.length).toBeGreaterThan(0);
          expect(told.length).toBeLessThanOrEqual(MOST_LESSONS);
          const ids = new Set(all.map(({ id }) => id));
          for (const { text, sources } of told) {
            expect(text.length).toBeLessThanOrEqual(340);
            expect(text).not.toMatch(/card-\d|undefined|null|NaN|[{}]/);
            for (const id of sources) expect(ids).toContain(id);
          }
          expect(noteText('mailer', '2026-03-03', all.length, told).length).toBeLessThanOrEqual(
            NOTE_LIMIT,
          );
        },
      ),
    );
  });
});

describe('what a model is shown', () => {
  test('has the same failure once with its count, failures first, and nothing beyond its bound', () => {
    const now = Date.parse('2026-03-04T10:00:00Z');
    const cards = [
      episode({ id: 'w' }),
      failure({ id: 'f1' }),
      failure({ id: 'f2', valid_from: '2026-03-02T09:00:00.000Z' }),
      failure({ id: 'r', resolved: 'x: it worked later, size 2 → 1' }),
    ];
    expect(digestOf(cards, 60, now)).toMatchObject([
      { n: 1, times: 2, sources: ['f2', 'f1'], resolved: false, age_days: 2 },
      { n: 2, times: 1, sources: ['r'], resolved: true },
      { n: 3, times: 1, sources: ['w'] },
    ]);
    expect(digestOf(cards, 1, now).flatMap(({ sources }) => sources)).toEqual(['f2', 'f1']);
  });
});

describe('a card that others were merged into', () => {
  test('says how often it was seen, adds up, and keeps the words that a person validated', () => {
    const later = episode({ id: 'b', valid_from: '2026-03-05T08:00:00.000Z' });
    const once = seenAgain(episode({ summary: 'It worked.' }), [later]);
    expect(once).toBe('It worked. Seen 2 times, last on 2026-03-05.');
    expect(seenAgain(episode({ summary: once ?? '' }), [later, later])).toBe(
      'It worked. Seen 4 times, last on 2026-03-05.',
    );
    expect(seenAgain(episode({ status: 'validated' }), [later])).toBeNull();
  });
});

describeWithData('notes of a real fleet', (folder) => {
  test('read as sentences: no data, no ids of ours, no empty bullet', () => {
    const scopes = new Map<string, Episode[]>();
    const lines = readFileSync(join(folder, 'fleet-dev.jsonl'), 'utf8').split('\n');
    for (const line of lines.filter((one) => one !== '')) {
      const event = JSON.parse(line) as SettledEvent;
      const { kind, sign, summary, input_fields, error_signature, error_family, flags } = distill(
        event,
        [],
      );
      if (flags.length > 0) continue;
      const { event_id: id, service = null, operation = null, occurred_at } = event;
      const key = `${event.agent}|${service}`;
      scopes.set(key, [
        ...(scopes.get(key) ?? []),
        episode({
          id,
          kind,
          sign,
          summary,
          input_fields,
          valid_from: occurred_at,
          hints: { service, operation, error_signature, error_family },
        }),
      ]);
    }
    for (const sources of scopes.values()) {
      const told = lessonsOf({ sources });
      const note = noteText(sources[0]?.hints.service ?? null, '2026-03-03', sources.length, told);
      expect(note.length).toBeLessThanOrEqual(NOTE_LIMIT);
      expect(note).not.toMatch(/[{}[<>]|undefined|evt_|\bnull\b|NaN/);
      for (const { text } of told) expect(text).toMatch(/^\S.{20,}[.!?…”"')]$/su);
    }
  });
});
