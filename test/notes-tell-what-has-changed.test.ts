import fc from 'fast-check';
import type { Episode } from '../src/domain/consolidation/episode';
import { lessonsOf } from '../src/domain/consolidation/lessons';
import { planConsolidation } from '../src/domain/consolidation/plan';
import { proofsAmong } from '../src/domain/consolidation/proofs';
import { type EpisodeFields, episode, failure } from './support/episodes';

const BEFORE = '2026-03-20T00:00:00.000Z';
const RESOLVED = 'the same operation mailer.send_batch: it worked later, mode fast → slow';

/** A call of `mailer.send_batch` on a day of March 2026; of one that failed, why. */
function call(
  id: string,
  day: number,
  input_fields: Episode['input_fields'],
  error: string | null = null,
  over: EpisodeFields = {},
): Episode {
  const time = `2026-03-${String(day).padStart(2, '0')}T08:00:00.000Z`;
  const given = Object.entries(input_fields)
    .map(([name, value]) => `${name.replace(/_/g, ' ')} ${value}`)
    .join(', ');
  const verdict = error === null ? 'It worked.' : `It failed: ${error}. Check it before retrying.`;
  return (error === null ? episode : failure)({
    id,
    input_fields,
    summary: `Sent a batch on mailer, ${given}. ${verdict}`,
    valid_from: time,
    recorded_at: time,
    ...(error === null
      ? {}
      : { resolved: RESOLVED, hints: { error_signature: error, error_family: 'permission' } }),
    ...over,
  });
}

const mode = (value: string, template = 'welcome') => ({ template, mode: value });
const CHANGED = [
  call('old-1', 2, mode('fast')),
  call('old-2', 3, mode('fast', 'invoice')),
  call('no', 9, mode('fast', 'invoice'), 'mode fast is not allowed'),
  call('now', 10, mode('slow', 'invoice')),
];
const texts = (cards: readonly Episode[]) => lessonsOf({ sources: [...cards] });

describe('a note without a model', () => {
  test('says first what has changed, since when, and what works now', () => {
    const [first, ...rest] = texts(CHANGED);
    expect(first?.text).toBe(
      'mailer.send_batch: since 2026-03-09 mode fast fails; mode slow works.',
    );
    expect(first?.sources.sort()).toEqual(['no', 'now', 'old-1', 'old-2']);
    for (const { text } of rest) expect(text).not.toMatch(/fast[^.]* worked(?! later)/);
  });

  test('says only that it fails where nothing has worked since', () => {
    expect(texts(CHANGED.slice(0, 3))[0]?.text).toBe(
      'mailer.send_batch: since 2026-03-09 mode fast fails.',
    );
  });

  test('tells a value that works again, a field that is asked for, and another limit', () => {
    const again = texts(
      [CHANGED[2], call('again', 12, mode('fast'))].filter((one) => one !== undefined),
    );
    expect(again[0]?.text).toBe('mailer.send_batch: since 2026-03-12 mode fast works.');
    const asked = texts([
      call('old', 2, mode('slow')),
      call('no', 9, mode('slow', 'invoice'), 'the field region is required', {
        hints: { error_signature: 'the field region is required', error_family: 'validation' },
      }),
      call('now', 10, { ...mode('slow', 'invoice'), region: 'oslo' }),
    ]);
    expect(asked[0]?.text).toBe(
      'mailer.send_batch: since 2026-03-09 without region it fails; region oslo works.',
    );
    const limit = (id: string, day: number, most: number) =>
      call(id, day, { template: 'welcome', batch_size: '200' }, `the limit is ${most} per batch`, {
        hints: { error_signature: 'the limit is …', error_family: 'rate_limit' },
      });
    expect(texts([limit('a', 2, 100), limit('b', 9, 40)])[0]?.text).toBe(
      'mailer.send_batch: since 2026-03-09 the limit is 40 per batch.',
    );
  });

  test('says nothing of a change where none is', () => {
    for (const { text } of texts(CHANGED.slice(0, 2))) expect(text).not.toContain('since');
  });

  test('says of which operation a useful card tells, where it tells of several', () => {
    const other = call('other', 4, mode('slow'), null, {
      hints: { operation: 'list_batches' },
      use_count: 3,
    });
    const useful = texts([...CHANGED, other]).find(({ text }) => text.startsWith('Proved'));
    expect(useful?.text).toContain(
      'Proved useful 3 times (mailer.list_batches), on 2026-03-04: Sent a batch',
    );
  });
});

describe('what shows how it is done now', () => {
  const plan = (cards: readonly Episode[]) =>
    planConsolidation(cards, {
      policy: { max_retire_share: 1, min_cards: 0 },
      activeCards: cards.length,
      before: BEFORE,
    });

  test('is told and stays: the newest failure of each refused value, and the newest success', () => {
    const cards = [
      ...CHANGED,
      call('no-2', 11, mode('fast'), 'mode fast is not allowed'),
      call('now-2', 12, mode('slow')),
    ];
    const [group] = plan(cards).groups;
    expect(group?.sources).toHaveLength(cards.length);
    expect(group?.retires.sort()).toEqual(['no', 'now', 'old-1', 'old-2']);
  });

  test('goes once it no longer shows it', () => {
    const again = [...CHANGED, call('again', 12, mode('fast'))];
    expect(plan(again).groups[0]?.retires.sort()).toEqual(['again', 'no', 'now', 'old-1', 'old-2']);
  });

  test('is judged among cards of the same readers alone', () => {
    const theirs = CHANGED.map((card) => ({ ...card, id: `their-${card.id}`, share: 'agent:bob' }));
    expect([...proofsAmong([...CHANGED, ...theirs])].sort()).toEqual([
      'no',
      'now',
      'their-no',
      'their-now',
    ]);
  });

  test('is no more than one failure a value and one success, whatever the cards and their order', () => {
    const cards = fc
      .array(
        fc.record({
          value: fc.constantFrom('fast', 'slow', 'bulk'),
          day: fc.integer({ min: 1, max: 19 }),
          failed: fc.boolean(),
        }),
        { maxLength: 14 },
      )
      .map((rows) =>
        rows.map(({ value, day, failed }, at) =>
          call(`c${at}`, day, mode(value), failed ? `mode ${value} is not allowed` : null),
        ),
      );
    fc.assert(
      fc.property(cards, (list) => {
        const proofs = proofsAmong(list);
        expect([...proofsAmong([...list].reverse())].sort()).toEqual([...proofs].sort());
        const kept = list.filter(({ id }) => proofs.has(id));
        const failed = kept.filter(({ sign }) => sign === 'failed');
        expect(new Set(failed.map(({ input_fields }) => input_fields.mode)).size).toBe(
          failed.length,
        );
        expect(kept.length - failed.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
