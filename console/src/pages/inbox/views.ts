import type { PendingWriteStatus } from '../../../../src/contracts/pending-write';
import {
  type ConfigFixStatus,
  DECIDABLE_STATUSES,
  type ProposalStatus,
} from '../../../../src/contracts/proposal';

/** What waits for a person: proposals, writes of restricted agents, fixes that their runtimes have to apply. */
export const VIEWS = ['proposals', 'writes', 'fixes'] as const;
export type View = (typeof VIEWS)[number];

export interface InboxSearch {
  view?: string;
  status?: string;
  type?: string;
}

/** A link to one matter says by its id which list it belongs to. */
export function viewOf(search: InboxSearch, id: string | undefined): View {
  if (id?.startsWith('pend_') === true) return 'writes';
  if (id?.startsWith('fix_') === true) return 'fixes';
  if (id !== undefined) return 'proposals';
  return VIEWS.find((view) => view === search.view) ?? 'proposals';
}

interface Choice<Status> {
  value: string;
  label: string;
  statuses: readonly Status[];
}

/** The first one is what a page without a word about it shows. */
export const PROPOSAL_CHOICES: readonly Choice<ProposalStatus>[] = [
  { value: 'waiting', label: 'Waiting', statuses: ['open', 'reopened'] },
  { value: 'reopened', label: 'Reopened', statuses: ['reopened'] },
  { value: 'approved', label: 'Approved, not yet applied', statuses: ['approved'] },
  { value: 'applied', label: 'Applied', statuses: ['applied'] },
  { value: 'proven', label: 'Proven', statuses: ['proven'] },
  { value: 'rejected', label: 'Rejected', statuses: ['rejected'] },
  { value: 'over', label: 'Expired or lapsed', statuses: ['expired', 'lapsed'] },
  { value: 'all', label: 'All', statuses: [] },
];

export const WRITE_CHOICES: readonly Choice<PendingWriteStatus>[] = [
  { value: 'waiting', label: 'Waiting', statuses: ['waiting'] },
  { value: 'accepted', label: 'Accepted', statuses: ['accepted'] },
  { value: 'rejected', label: 'Rejected', statuses: ['rejected'] },
  { value: 'expired', label: 'Expired', statuses: ['expired'] },
  { value: 'all', label: 'All', statuses: [] },
];

export const FIX_CHOICES: readonly Choice<ConfigFixStatus>[] = [
  { value: 'waiting', label: 'To be applied or watched', statuses: ['approved', 'applied'] },
  { value: 'approved', label: 'To be applied', statuses: ['approved'] },
  { value: 'applied', label: 'Applied, watched', statuses: ['applied'] },
  { value: 'proven', label: 'Proven', statuses: ['proven'] },
  { value: 'reopened', label: 'Failed again', statuses: ['reopened'] },
  { value: 'lapsed', label: 'Lapsed', statuses: ['lapsed'] },
  { value: 'all', label: 'All', statuses: [] },
];

/** An address with another word shows what one without any does. */
export function chosenOf<Status>(
  choices: readonly Choice<Status>[],
  value: string | undefined,
): Choice<Status> {
  const found = choices.find((choice) => choice.value === value) ?? choices[0];
  if (found === undefined) throw new Error('a list of choices has at least one');
  return found;
}

/** Whether a person may still decide it. */
export function waits({ status }: { status: ProposalStatus }): boolean {
  return DECIDABLE_STATUSES.some((one) => one === status);
}
