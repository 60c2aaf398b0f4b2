import type { ErrorFamily } from '../../contracts/names';
import type { SkillCase, SkillDocument } from '../../contracts/skill';
import type { LinkType } from '../link';
import type { Weight } from './card';

/** What a reflection proposes to remember. */
export type Candidate = FactCandidate | LinkCandidate | SkillCandidate;
export type CandidateType = Candidate['type'];

interface Found extends Weight {
  /** What it says, one or a few sentences; of a link the reason of its edge. */
  text: string;
  /** What it is about, however often and in whatever figures it is found: of one matter one is kept. */
  matter: string;
  /** Ids of the cards that it rests on, in order. */
  sources: string[];
}

export interface FactCandidate extends Found {
  type: 'fact';
  topic: string | null;
  service: string | null;
  operation: string | null;
  error_signature: string | null;
  error_family: ErrorFamily | null;
}

export interface LinkCandidate extends Found {
  type: 'link';
  /** The newer card. */
  from: string;
  to: string;
  link: Exclude<LinkType, 'supersedes'>;
}

export interface SkillCandidate extends Found {
  type: 'skill';
  name: string;
  document: SkillDocument;
  /** The tasks that it was seen in. */
  cases: { case: SkillCase; event: string | null; card: string | null }[];
}

/** Of a finding, the newest of the cards that it rests on; more of them say nothing more. */
export const MOST_SOURCES = 40;

/** Of one look at a group of cards: a scope is reflected on again and again, and a person reads what is escalated. */
export const MOST_FOUND = { fact: 12, link: 20, skill: 4 } as const;

/** Two texts that differ in case, marks and figures of frequency say the same. */
export function matterOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\(\d+ of \d+[^)]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}.%]+/gu, ' ')
    .trim();
}

/** Everything that a candidate would put into words. */
export function textsOf(candidate: Candidate): string[] {
  if (candidate.type !== 'skill') return [candidate.text];
  const { purpose, preconditions, steps, failure_handling, causes } = candidate.document;
  return [
    candidate.name,
    purpose,
    ...preconditions,
    ...steps.map(({ text }) => text),
    ...failure_handling.flatMap(({ when, then }) => [when, then]),
    ...causes,
  ];
}
