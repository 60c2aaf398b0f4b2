import fc from 'fast-check';
import { DECIDABLE_STATUSES, DECISIONS, PROPOSAL_STATUSES } from '../src/contracts/proposal';
import { HOUR_MS, MINUTE_MS } from '../src/domain/durations';
import {
  deadlineOf,
  decisionIn,
  isWellFormed,
  refusalOf,
  remindersOf,
} from '../src/domain/proposal';

const OPENED = new Date('2026-03-02T08:24:15.250Z');
const YEAR_OF_HOURS = 366 * 24;

/** The same time in one of the forms that a policy may write it in. */
const duration = fc.record({ hours: fc.nat(YEAR_OF_HOURS), minutes: fc.nat(59) }).chain((after) => {
  const { hours, minutes } = after;
  const ms = hours * HOUR_MS + minutes * MINUTE_MS;
  const forms = [
    `P${Math.floor(hours / 24)}DT${hours % 24}H${minutes}M`,
    `PT${hours}H${minutes}M`,
    `PT${ms / 1_000}S`,
  ];
  return fc.record({ ms: fc.constant(ms), iso: fc.constantFrom(...forms) });
});
const policy = fc.record({ ttl: duration, reminders: fc.array(duration, { maxLength: 12 }) });
type Planned = ReturnType<typeof policy.generate>['value'];
const policyOf = ({ ttl, reminders }: Planned) => ({
  proposals: { ttl: ttl.iso, reminders: reminders.map(({ iso }) => iso), direct_decisions: true },
});
const sinceOpened = (time: Date) => time.getTime() - OPENED.getTime();

describe('a deadline', () => {
  test('is the ttl after the opening: its own where it has one, else the policy’s', () => {
    fc.assert(
      fc.property(policy, fc.option(duration), (planned, own) => {
        const { expiresAt } = deadlineOf(OPENED, policyOf(planned), own?.iso ?? null);
        expect(sinceOpened(expiresAt)).toBe((own ?? planned.ttl).ms);
      }),
    );
  });

  test('is reminded of at every time of the policy that lies before it, once and in order', () => {
    fc.assert(
      fc.property(policy, fc.option(duration), (drawn, own) => {
        // One falls on the deadline itself.
        const planned = { ...drawn, reminders: [...drawn.reminders, own ?? drawn.ttl] };
        const { expiresAt, reminders } = deadlineOf(OPENED, policyOf(planned), own?.iso ?? null);
        const wanted = new Set(planned.reminders.map(({ ms }) => ms));
        wanted.delete(0);
        const due = [...wanted].filter((ms) => ms < sinceOpened(expiresAt)).sort((a, b) => a - b);
        expect(reminders.map(sinceOpened)).toEqual(due);
        expect(remindersOf(OPENED, expiresAt, policyOf(planned))).toEqual(reminders);
      }),
    );
  });

  test('is reminded of the same way in whatever order the policy names the times', () => {
    fc.assert(
      fc.property(policy, (planned) => {
        const turned = { ...planned, reminders: [...planned.reminders].reverse() };
        expect(deadlineOf(OPENED, policyOf(turned))).toEqual(deadlineOf(OPENED, policyOf(planned)));
      }),
    );
  });
});

const version = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const personId = fc.stringMatching(/^[a-z][a-z0-9._:/-]{0,12}$/);
const code = fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/);
const intent = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,60}$/);
const request = fc.record(
  {
    decision: fc.constantFrom(...DECISIONS),
    by: personId,
    version,
    reason_code: code,
    intent_id: intent,
  },
  { requiredKeys: ['decision', 'by', 'version'] },
);
const proposal = fc.record({ status: fc.constantFrom(...PROPOSAL_STATUSES), version });

describe('a decision', () => {
  test('may be taken exactly while it waits, in the version that stands', () => {
    fc.assert(
      fc.property(proposal, request, fc.boolean(), (standing, asked, isOfIt) => {
        const decision = isOfIt ? { ...asked, version: standing.version } : asked;
        const waits = DECIDABLE_STATUSES.some((status) => status === standing.status);
        const stands = decision.version === standing.version;
        const due = waits ? (stands ? null : 'stale_version') : 'already_decided';
        const wanted = standing.status === 'expired' ? 'expired' : due;
        expect(refusalOf(standing, decision)).toBe(wanted);
      }),
    );
  });

  test('keeps its own fields, and nothing else that came with it', () => {
    fc.assert(
      fc.property(request, fc.dictionary(fc.string(), fc.jsonValue()), (asked, beside) => {
        const heard = { ...beside, ...asked };
        for (const key of ['reason_code', 'intent_id'] as const) {
          if (!(key in asked)) delete heard[key];
        }
        expect(isWellFormed(heard)).toBe(true);
        expect(decisionIn(heard)).toEqual(asked);
      }),
    );
  });

  const broken: [string, unknown][] = [
    ...([undefined, null, '', 0, 'Approve', 'approved', ['approve']] as const).map(
      (value): [string, unknown] => ['decision', value],
    ),
    ...(
      [undefined, null, '', 7, ' rita', 'rita\n', 'ri\0ta', 'r'.repeat(201), '-rita'] as const
    ).map((value): [string, unknown] => ['by', value]),
    ...(
      [undefined, null, '1', 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31] as const
    ).map((value): [string, unknown] => ['version', value]),
    ...(['reason_code', 'intent_id'] as const).flatMap((key) =>
      [null, '', 1, 'two words', 'a'.repeat(61), 'code\n', {}].map((value): [string, unknown] => [
        key,
        value,
      ]),
    ),
  ];
  test.each(broken)('with %s %p is none, however the proposal stands', (key, value) => {
    fc.assert(
      fc.property(proposal, request, (standing, asked) => {
        const heard = { ...asked, version: standing.version, [key]: value };
        expect(refusalOf(standing, heard as never)).toBe('malformed');
        expect(decisionIn(heard)).toBeNull();
      }),
      { numRuns: 20 },
    );
  });

  test('whatever somebody writes by hand, it is refused or it is one, and nothing throws', () => {
    fc.assert(
      fc.property(proposal, fc.anything({ withNullPrototype: true }), (standing, heard) => {
        const refusal = refusalOf(standing, heard as never);
        expect(decisionIn(heard) === null).toBe(refusal === 'malformed');
      }),
    );
  });
});
