import { buildWorld } from '../src/cli/simulate/world/build';
import type { Dimension } from '../src/cli/simulate/world/dimensions';
import { FAMILIES } from '../src/cli/simulate/world/formats';
import { SEEDS, WORLD } from '../src/cli/simulate/world/frozen';
import { factsIn } from '../src/cli/simulate/world/reader/statements';
import { distill } from '../src/domain/distill/distill';
import { settledBy } from './support/simulated';

/** `batch_size must 100`, one a choice, sorted. */
function told(text: string, operation: string, dimensions: readonly Dimension[]): string[] {
  const facts = factsIn(text, operation, dimensions).flatMap(({ param, says, choices }) =>
    choices.map((choice) => `${param} ${says} ${choice}`),
  );
  return [...new Set(facts)].sort();
}

it.each(SEEDS)(
  'takes from the calls of seed %i the same, told as a card or in raw JSON',
  async (seed) => {
    const world = buildWorld(seed, WORLD);
    const { events } = await settledBy(seed);
    const calls = events.filter(({ kind }) => kind === 'service_call');
    // Every seventh, so that agents, operations and tries change from one to the next.
    for (const event of calls.filter((_, at) => at % 7 === 0)) {
      const operation = world.operations.find((one) => one.operation === event.operation);
      if (operation === undefined) throw new Error(`no operation ${event.operation}`);
      const card = distill(event, []).summary;
      const mark = event.outcome === 'failed' ? '⚠️' : '✅';
      const line = `- ${mark} «${card}» (runtime, 2 days ago; seen 3 times, last 1 day ago)`;
      const [asCard, ...asRaw] = [
        line,
        JSON.stringify(event),
        JSON.stringify({ event }, null, 2),
      ].map((text) => told(text, operation.operation, operation.dimensions));
      for (const raw of asRaw) expect({ card, facts: raw }).toEqual({ card, facts: asCard });
    }
  },
);

const dueDate = FAMILIES.find(({ param }) => param === 'due_date');
if (dueDate === undefined) throw new Error('dates can be written in several ways');
const DIMENSIONS: readonly Dimension[] = [
  { kind: 'field', param: 'consent_basis', values: ['optin', 'agreement', 'legal'] },
  { kind: 'batch', param: 'batch_size' },
  { kind: 'slot', param: 'slot' },
  { kind: 'mode', param: 'mode' },
  { kind: 'format', param: 'due_date', family: dueDate },
];

it.each([
  ['keep the batch size at or below 100.', ['batch_size must 100']],
  ['the limit is 50 per batch (before: 100).', ['batch_size must 50']],
  ['use mode bulk; mode standard fails with 403.', ['mode must bulk', 'mode out standard']],
  ['batch size 180 → 100 worked.', ['batch_size out 180', 'batch_size works 100']],
  [
    'It worked later with batch size 180 → 100 and mode standard → bulk.',
    ['batch_size works 100', 'mode works bulk'],
  ],
  ['set consent_basis=optin, otherwise it is refused.', ['consent_basis must optin']],
  ['due_date must be YYYY-MM-DD, not DD.MM.YYYY.', ['due_date must YYYY-MM-DD']],
  [
    'avoid monday to tuesday mornings (maintenance).',
    ['slot out monday morning', 'slot out tuesday morning'],
  ],
  [
    'failed 3 of 14 times: the limit is 100 per batch, got 180. It worked later with batch size 180 → 100. Last on 2026-03-04.',
    ['batch_size must 100', 'batch_size out 180', 'batch_size works 100'],
  ],
  [
    'failed both times: 403 Forbidden. With mode standard it failed, with bulk it worked.',
    ['mode out standard', 'mode works bulk'],
  ],
  ['failed once: 502 Bad Gateway, with batch size 40 and mode bulk.', []],
  [
    'It worked, with due date 02.03.2026 and mode bulk.',
    ['due_date works DD.MM.YYYY', 'mode works bulk'],
  ],
  [
    'It worked, after a failure with another due date (02.03.2026): reference ref-1.',
    ['due_date out DD.MM.YYYY'],
  ],
  ['It worked, after a failure with another mode (bulk) and another slot (friday evening).', []],
])('reads the lesson: %s', (lesson, facts) => {
  const text = `- mailer.send_newsletter: ${lesson}`;
  expect(told(text, 'send_newsletter', DIMENSIONS)).toEqual(facts);
});

it('reads a record that the budget cut off as far as it goes', () => {
  const whole = JSON.stringify({
    service: 'mailer',
    operation: 'send_newsletter',
    outcome: 'failed',
    occurred_at: '2026-03-04T10:00:00Z',
    input: { batch_size: 180, mode: 'bulk' },
    error: '429 Too Many Requests: the limit is 100 per batch, got 180',
  });
  const read = (text: string) => told(text, 'send_newsletter', DIMENSIONS);
  expect(read(whole)).toEqual(['batch_size must 100', 'batch_size out 180']);
  expect(read(whole.slice(0, -12))).toEqual(read(whole));
  expect(read(whole.slice(0, whole.indexOf('"error"')))).toEqual([]);
});
