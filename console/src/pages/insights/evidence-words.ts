import type { ActionEvidence } from '../../../../src/contracts/insight';

/** `3 outcomes: 2 improved, 1 unchanged` */
export function evidenceInWords(evidence: ActionEvidence): string {
  const { outcomes, improved, unchanged, worse } = evidence;
  if (outcomes === 0) return 'no outcome known yet';
  const parts = [
    improved > 0 && `${improved} improved`,
    unchanged > 0 && `${unchanged} unchanged`,
    worse > 0 && `${worse} worse`,
  ].filter((part) => part !== false);
  return `${outcomes} ${outcomes === 1 ? 'outcome' : 'outcomes'}: ${parts.join(', ')}`;
}
