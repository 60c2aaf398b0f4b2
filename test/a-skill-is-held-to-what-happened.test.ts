import fc from 'fast-check';
import type { SkillDocument, TraceStep } from '../src/contracts/skill';
import { markdownOf } from '../src/domain/skills/markdown-out';
import { type NumberedCase, regressions, replay } from '../src/domain/skills/replay';

const EMPTY: SkillDocument = {
  purpose: 'Send the newsletter.',
  preconditions: [],
  steps: [],
  failure_handling: [],
  causes: [],
};
const version = (document: Partial<SkillDocument>, body?: string) => {
  const whole = { ...EMPTY, ...document };
  return { description: 'Sends it.', document: whole, body: body ?? markdownOf(whole) };
};
const call = (operation: string, more: Partial<TraceStep> = {}): TraceStep => ({
  ...{ service: 'mailer', operation, outcome: 'worked' },
  ...more,
});
const verdict = (tested: ReturnType<typeof version>, one: NumberedCase) => {
  const [result] = replay(tested, [one]);
  return [result?.passed, result?.why, result?.at];
};
const origin = (...trace: TraceStep[]): NumberedCase => ({ id: 'o', kind: 'origin', trace });
const failure = (...trace: TraceStep[]): NumberedCase => ({ id: 'f', kind: 'failure', trace });
const steps = (...operations: string[]) =>
  operations.map((operation) => ({ text: `Do it.`, service: 'mailer', operation }));

describe('the work that a skill was learned from', () => {
  const work = origin(
    call('list_readers'),
    call('send_batch', { outcome: 'failed', error_family: 'validation' }),
    call('send_batch'),
    call('send_batch'),
    call('report'),
  );

  it.each([
    ['its steps in order', steps('list_readers', 'send_batch', 'report'), true],
    ['other steps between', steps('list_readers', 'wait', 'send_batch', 'log', 'report'), true],
    ['one of them left out', steps('list_readers', 'report'), false],
    ['another order', steps('send_batch', 'list_readers', 'report'), false],
    ['none', [], false],
  ])('with %s', (_what, given, passes) => {
    expect(verdict(version({ steps: given }), work)[0]).toBe(passes);
  });

  it('says which call is missing, or comes too early', () => {
    expect(verdict(version({ steps: steps('list_readers', 'report') }), work)).toEqual([
      ...[false, 'step_missing', 'mailer.send_batch'],
    ]);
    expect(
      verdict(version({ steps: steps('send_batch', 'list_readers', 'report') }), work),
    ).toEqual([false, 'steps_out_of_order', 'mailer.send_batch']);
  });

  it('is found in steps that name a call in their words, as a whole', () => {
    const named = [{ text: 'Call `list_readers`.' }, { text: 'Then mailer.send_batch, twice' }];
    expect(
      verdict(version({ steps: named }), origin(call('list_readers'), call('send_batch')))[0],
    ).toBe(true);
    expect(verdict(version({ steps: named }), origin(call('send')))[0]).toBe(false);
    const other = [{ text: 'Send.', service: 'post', operation: 'send_batch' }];
    expect(verdict(version({ steps: other }), origin(call('send_batch')))[0]).toBe(false);
  });

  it('holds for any steps that the trace is a part of, in order, and for no other', () => {
    const operation = fc.constantFrom('a1', 'b1', 'c1', 'd1');
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 8 }),
        fc.array(operation, { maxLength: 5 }),
        (given, worked) => {
          const wanted = worked.filter((one, at) => worked[at - 1] !== one);
          // Independently: the places of each wanted call, chosen the earliest way.
          let at = -1;
          const isPart = wanted.every((one) => {
            at = given.indexOf(one, at + 1);
            return at >= 0;
          });
          const trace = worked.map((one) => call(one));
          expect(verdict(version({ steps: steps(...given) }), origin(...trace))[0]).toBe(isPart);
        },
      ),
    );
  });
});

describe('a later failure', () => {
  const limit = call('send_batch', {
    outcome: 'failed',
    error_family: 'validation',
    error_signature: 'batch_size must be at most <n> for free accounts',
  });
  const answers = (document: Partial<SkillDocument>) =>
    verdict(version({ steps: steps('send_batch'), ...document }), failure(limit))[0];
  const when = 'it is refused';
  const then = 'halve it';

  it.each<[string, Partial<SkillDocument>, boolean]>([
    ['nothing', {}, false],
    ['its family', { failure_handling: [{ when, then, error_family: 'validation' }] }, true],
    ['another family', { failure_handling: [{ when, then, error_family: 'timeout' }] }, false],
    [
      'its signature',
      { failure_handling: [{ when, then, error_signature: limit.error_signature }] },
      true,
    ],
    [
      'its words in a precondition',
      { preconditions: ['On free accounts keep batch_size at most 100'] },
      true,
    ],
    ['its words in a cause', { causes: ['The batch_size must be small for free accounts.'] }, true],
    ['one of its words', { causes: ['The batch goes out at noon.'] }, false],
    [
      'its words in the remedy alone',
      { failure_handling: [{ when, then: 'keep batch_size at most 100 for free accounts' }] },
      false,
    ],
    [
      'its words in what it happens at',
      { failure_handling: [{ when: 'batch_size is above what free accounts may', then }] },
      true,
    ],
  ])('is answered by %s: %#', (_what, document, passes) => {
    expect(answers(document)).toBe(passes);
  });

  it('of a call that no step makes is not answered by words alone', () => {
    const handled = { failure_handling: [{ when, then, error_family: 'validation' as const }] };
    expect(verdict(version({ ...handled, steps: steps('report') }), failure(limit))).toEqual([
      ...[false, 'operation_not_in_steps', 'mailer.send_batch'],
    ]);
  });

  it('that is of no family in particular is known by its signature alone', () => {
    const odd = call('send_batch', {
      outcome: 'failed',
      error_family: 'other',
      error_signature: 'E <n>',
    });
    const with_ = (error_signature?: string) =>
      verdict(
        version({
          steps: steps('send_batch'),
          failure_handling: [
            {
              when: 'others',
              then,
              error_family: 'other',
              ...(error_signature && { error_signature }),
            },
          ],
        }),
        failure(odd),
      )[0];
    expect([with_(), with_('E <n>')]).toEqual([false, true]);
  });
});

describe('words', () => {
  const manual = (must_mention: string[], must_not_mention: string[]): NumberedCase => ({
    ...{ id: 'm', kind: 'manual', must_mention, must_not_mention },
  });
  const tested = version({}, 'Keep  the\nBatch small.');
  it.each<[string[], string[], string]>([
    [['keep the batch'], ['large'], 'words_as_asked'],
    [['keep the batch', 'large'], [], 'word_missing'],
    [[], ['BATCH'], 'word_not_wanted'],
    [['sends it'], [], 'words_as_asked'],
  ])('%j and not %j: %s', (wanted, unwanted, why) => {
    expect(verdict(tested, manual(wanted, unwanted))[1]).toBe(why);
  });
});

it('a step back is a case that one passed and the other does not, and nothing else', () => {
  const result = (id: string, passed: boolean) =>
    ({ id, kind: 'manual', passed, why: 'words_as_asked', at: null }) as const;
  const before = [result('a', true), result('b', true), result('c', false), result('d', false)];
  const after = [result('a', true), result('b', false), result('c', true), result('d', false)];
  expect(regressions(before, after)).toEqual(['b']);
  expect(regressions(after, before)).toEqual(['c']);
});
