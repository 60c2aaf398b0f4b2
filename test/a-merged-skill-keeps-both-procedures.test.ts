import fc from 'fast-check';
import type { SkillDocument, TraceStep } from '../src/contracts/skill';
import { mergedSkill, saysNothingNew, stepOverlap } from '../src/domain/learning/merged-skill';
import { replay } from '../src/domain/skills/replay';

const call = fc.constantFrom('get', 'put', 'find', 'send', 'close');
const calls = fc.array(call, { minLength: 1, maxLength: 10 });
const failures = fc.uniqueArray(fc.constantFrom('not found', 'too many', 'no access'));

/** Several calls in a row of one operation are one step, as a task has them. */
function documentOf(operations: readonly string[], errors: readonly string[]): SkillDocument {
  const once = operations.filter((one, at) => one !== operations[at - 1]);
  return {
    purpose: 'Does what is asked.',
    preconditions: errors.map((error) => `Before desk.put, get it right: ${error}`),
    steps: once.map((operation) => ({ text: `Do ${operation}.`, service: 'desk', operation })),
    failure_handling: errors.map((error) => ({
      when: `desk.put fails: ${error}`,
      then: `Mend ${error}.`,
      error_signature: error,
    })),
    causes: [],
  };
}

const trace = (operations: readonly string[]): TraceStep[] =>
  operations.map((operation) => ({ service: 'desk', operation, outcome: 'worked' }));

const skill = fc.tuple(calls, failures).map(([operations, errors]) => ({
  operations,
  document: documentOf(operations, errors),
}));

describe('two procedures as one', () => {
  test('has the steps of both, each in its own order, so that the tests of both pass', () => {
    fc.assert(
      fc.property(skill, skill, (one, other) => {
        const document = mergedSkill(one.document, other.document);
        if (document === null) throw new Error('twenty steps are not too many');
        const version = { description: '', document, body: '' };
        const results = replay(version, [
          { id: 'one', kind: 'origin', trace: trace(one.operations) },
          { id: 'other', kind: 'origin', trace: trace(other.operations) },
        ]);
        expect(results.map(({ passed }) => passed)).toEqual([true, true]);
      }),
    );
  });

  test('knows each failure of either once, and nothing more with the same one again', () => {
    fc.assert(
      fc.property(skill, skill, (one, other) => {
        const document = mergedSkill(one.document, other.document);
        if (document === null) throw new Error('twenty steps are not too many');
        const signatures = document.failure_handling.map((handled) => handled.error_signature);
        const both = [...one.document.failure_handling, ...other.document.failure_handling];
        expect(new Set(signatures)).toEqual(
          new Set(both.map((handled) => handled.error_signature)),
        );
        expect(signatures).toHaveLength(new Set(signatures).size);
        const again = mergedSkill(document, other.document);
        expect(again).toEqual(document);
        expect(saysNothingNew(document, document)).toBe(true);
      }),
    );
  });

  test('overlap by their steps: from 0 to 1, the same both ways, 1 with itself', () => {
    fc.assert(
      fc.property(skill, skill, ({ document: one }, { document: other }) => {
        const shared = stepOverlap(one.steps, other.steps);
        expect(shared).toBeGreaterThanOrEqual(0);
        expect(shared).toBeLessThanOrEqual(1);
        expect(stepOverlap(other.steps, one.steps)).toBe(shared);
        expect(stepOverlap(one.steps, one.steps)).toBe(1);
      }),
    );
  });

  test('is none where it would be too long for one skill', () => {
    const long = (service: string): SkillDocument => ({
      ...documentOf([], []),
      steps: Array.from({ length: 30 }, (_, at) => ({ text: 'x', service, operation: `op${at}` })),
    });
    expect(mergedSkill(long('a'), long('b'))).toBeNull();
    expect(mergedSkill(long('a'), long('a'))?.steps).toHaveLength(30);
  });
});
