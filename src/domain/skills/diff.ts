import type {
  SkillDocument,
  SkillFailureHandling,
  SkillSection,
  SkillSectionDiff,
  SkillStep,
} from '../../contracts/skill';
import { SKILL_SECTIONS } from '../../contracts/skill';
import { markdownOf } from './markdown-out';

/** What of a version is compared. */
export interface ComparedVersion {
  description: string;
  document: SkillDocument;
  body: string;
}

/** The sections that differ, in their order. A version is compared by its parts; a free body by its text. */
export function skillDiff(before: ComparedVersion, after: ComparedVersion): SkillSectionDiff[] {
  return SKILL_SECTIONS.flatMap((section): SkillSectionDiff[] => {
    const left = partOf(before, section);
    const right = partOf(after, section);
    if (JSON.stringify(left) === JSON.stringify(right)) return [];
    if (typeof left === 'string' || typeof right === 'string') {
      return [{ section, before: String(left), after: String(right) }];
    }
    const added = beyond(right, left);
    const removed = beyond(left, right);
    if (added.length + removed.length === 0) return [{ section, added, removed, reordered: true }];
    return [{ section, added, removed }];
  });
}

function partOf(version: ComparedVersion, section: SkillSection): string | string[] {
  const { document, description, body } = version;
  switch (section) {
    case 'description':
      return description;
    case 'purpose':
      return document.purpose;
    case 'preconditions':
      return document.preconditions;
    case 'steps':
      return document.steps.map(stepText);
    case 'failure_handling':
      return document.failure_handling.map(failureText);
    case 'causes':
      return document.causes;
    case 'body':
      // What was written as parts is compared as parts, and not once more as the text made from them.
      return body === markdownOf(document) ? '' : body;
    default:
      return section satisfies never;
  }
}

function stepText({ text, service, operation }: SkillStep): string {
  const call = [service, operation].filter((part) => part !== undefined).join('.');
  return call === '' ? text : `${text} (${call})`;
}

function failureText(failure: SkillFailureHandling): string {
  const { when, then, error_family: family, error_signature: signature } = failure;
  const error = [family, signature].filter((part) => part !== undefined).join(': ');
  return `${when} → ${then}${error === '' ? '' : ` (${error})`}`;
}

/** Items of the one that are not in the other; what stands there twice counts twice. */
function beyond(one: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return one.filter((item) => {
    const at = left.indexOf(item);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}
