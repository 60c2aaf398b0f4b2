import type { SkillDocument, SkillFailureHandling, TraceStep } from '../../contracts/skill';
import { lexicalTerms } from '../terms';

type Failure = Pick<TraceStep, 'error_family' | 'error_signature'>;

/** Of the words of an error's signature, how many a text has to have to be about that error. */
const COVERED = 0.6;
/** One word in common says nothing. */
const FEWEST_TERMS = 2;

/**
 * Whether a skill says something about an error: a failure that it handles has its signature or its family,
 * or a precondition, a failure or a cause speaks of it in words.
 */
export function answersFailure(document: SkillDocument, failure: Failure): boolean {
  const { preconditions, failure_handling: handled, causes } = document;
  return (
    handled.some((one) => handles(one, failure)) ||
    [...preconditions, ...causes, ...handled.map(({ when }) => when)].some((text) =>
      speaksOf(text, failure),
    )
  );
}

/** An error of the family `other` is known by its signature alone. */
function handles(one: SkillFailureHandling, failure: Failure): boolean {
  if (failure.error_signature !== undefined && one.error_signature === failure.error_signature) {
    return true;
  }
  return (
    failure.error_family !== undefined &&
    failure.error_family !== 'other' &&
    one.error_family === failure.error_family
  );
}

function speaksOf(text: string, { error_family: family, error_signature: signature }: Failure) {
  const said = lexicalTerms(text);
  if (family !== undefined && family !== 'other') {
    const words = [...lexicalTerms(family.replaceAll('_', ' ')).keys()];
    if (words.length > 0 && words.every((word) => said.has(word))) return true;
  }
  const terms = [...lexicalTerms(unmasked(signature ?? '')).keys()];
  const shared = terms.filter((term) => said.has(term));
  return shared.length >= FEWEST_TERMS && shared.length >= COVERED * terms.length;
}

/** A signature has its values masked; what stands for them is no word of the error's. */
function unmasked(signature: string): string {
  return signature.replace(/<[^<>]*>|…/gu, ' ');
}
