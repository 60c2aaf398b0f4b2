import { useQuery } from '@tanstack/react-query';
import type { RecallAnswer } from '../../../../src/contracts/recall';
import { send } from '../../api/http';
import type { Asked } from './question';

/** Asked once: every recall is logged, so none is repeated unseen. */
export function useRecall(asked: Asked | null) {
  return useQuery({
    queryKey: ['recall', asked],
    queryFn: async ({ signal }) => {
      if (asked === null) throw new Error('nothing was asked');
      const { agent, body } = asked;
      return (await send<RecallAnswer>('/v1/recall', { method: 'POST', body, agent, signal })).data;
    },
    enabled: asked !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
}
