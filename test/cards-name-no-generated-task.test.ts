import fc from 'fast-check';
import type { SettledEvent } from '../src/contracts/event';
import { distill } from '../src/domain/distill/distill';

const KINDS = ['service_call', 'workflow_step', 'delegation', 'failure'] as const;
const OUTCOMES = ['worked', 'failed'] as const;

const generated = fc.oneof(
  fc.uuid(),
  ...[16, 32, 64].map((length) =>
    fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
      .map((digits) => digits.join('')),
  ),
);

const event = (kind: (typeof KINDS)[number], outcome: (typeof OUTCOMES)[number], task: string) =>
  ({
    ...{ event_id: 'e-1', kind, agent: 'scout', task, outcome },
    ...{ service: 'maps', operation: 'route', occurred_at: '2026-06-01T09:00:00Z' },
    ...(kind === 'delegation' ? { delegate: { agent: 'guide' } } : {}),
  }) as SettledEvent;

test('an id that a program made for one time stands in no card', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      fc.constantFrom(...OUTCOMES),
      generated,
      (kind, outcome, task) => {
        expect(distill(event(kind, outcome, task), []).summary).not.toContain(task);
      },
    ),
    { numRuns: 300 },
  );
});

test('so that the same work of two traces reads the same', () => {
  const [one, other] = ['a1'.repeat(16), 'b2'.repeat(16)].map((task) =>
    distill(event('workflow_step', 'worked', task), []),
  );
  expect(one?.summary).toBe(other?.summary);
});

test('a task that somebody named is named', () => {
  expect(distill(event('workflow_step', 'worked', 'june-letter'), []).summary).toContain(
    'june-letter',
  );
});
