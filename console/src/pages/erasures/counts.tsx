import type { ErasureCounts } from '../../../../src/contracts/erasure';
import { Facts } from '../../components/facts';

/** How many of what, in an erasure that was done, or would be. */
export function Counts({ counts, would = false }: { counts: ErasureCounts; would?: boolean }) {
  const gone = Object.entries(counts.purged).filter(([, n]) => n > 0);
  return (
    <Facts
      rows={[
        ...gone.map(
          ([kind, n]) =>
            [
              kind.replaceAll('_', ' '),
              `${n.toLocaleString()} ${would ? 'would go' : 'gone'}`,
            ] as const,
        ),
        ...(gone.length === 0 ? [[would ? 'Would go' : 'Gone', 'nothing'] as const] : []),
        [
          'Said again',
          counts.rederived > 0
            ? `${counts.rederived.toLocaleString()} cards, from the evidence that is left`
            : null,
        ],
        ['Left alone', counts.kept > 0 ? `${counts.kept.toLocaleString()} cards of others` : null],
        ['Held', counts.held > 0 ? `${counts.held.toLocaleString()} by a legal hold` : null],
      ]}
    />
  );
}
