import { askReason } from '../../components/ask-reason';
import type { Judgement } from './card-judging';

interface Asked extends Omit<Judgement, 'body'> {
  label: string;
  title: string;
  says: string;
  yes: string;
  danger?: boolean;
  verdict?: 'success' | 'wrong';
}

/** Decisions that take a reason and nothing else. */
export const JUDGEMENTS = {
  validate: {
    label: 'Validate',
    title: 'Confirm this card?',
    says: 'It held. Recall weighs a validated card more.',
    yes: 'It held',
    path: '/validation',
    verdict: 'success',
    done: 'Validated.',
  },
  reject: {
    label: 'Mark wrong',
    title: 'Mark this card wrong?',
    says: 'No recall shows it again, and what passes made of it is taken back. Validating it later brings it into use again.',
    yes: 'It is wrong',
    danger: true,
    path: '/validation',
    verdict: 'wrong',
    done: 'Rejected; no recall shows it any more.',
  },
  release: {
    label: 'Release',
    title: 'Release this card?',
    says: 'It has its status again, and recall may show it.',
    yes: 'Release',
    path: '/release',
    done: 'Released.',
  },
  restore: {
    label: 'Restore',
    title: 'Restore this card?',
    says: 'It was archived; it is in use again.',
    yes: 'Restore',
    path: '/restore',
    done: 'Restored.',
  },
  demote: {
    label: 'Demote',
    title: 'Take the promotion back?',
    says: 'The card goes back to the scope that it came from.',
    yes: 'Demote',
    path: '/demotion',
    done: 'It is back in the scope that it came from.',
  },
  quarantine: {
    label: 'Quarantine',
    title: 'Quarantine this card?',
    says: 'Only people see it, until somebody releases it.',
    yes: 'Quarantine',
    danger: true,
    path: '/quarantine',
    done: 'Quarantined, until somebody releases it.',
  },
} as const satisfies Record<string, Asked>;
export type JudgementName = keyof typeof JUDGEMENTS;

/** Asks for the reason, then decides. */
export function judge(name: JudgementName, decide: (judgement: Judgement) => void): void {
  const { path, done, title, says, yes, danger = false, verdict }: Asked = JUDGEMENTS[name];
  askReason({
    title,
    says,
    yes,
    danger,
    onYes: (reason) => {
      const body = verdict === undefined ? { reason } : { verdict, note: reason };
      decide({ path, done, body });
    },
  });
}
