import { useState } from 'react';
import type { PolicyPreview } from '../../../../../src/contracts/policy-preview';
import { send } from '../../../api/http';
import { useDoing } from '../../../components/doing';
import type { PolicyAnswer } from './paths';

interface Looked {
  preview: PolicyPreview;
  patch: unknown;
  version: number;
}

/** First a look at what would change, then the change, from the version that was looked at. */
export function useSaving(saved: () => void) {
  const [looked, setLooked] = useState<Looked | null>(null);
  const look = useDoing<{ patch: unknown; version: number }, { data: PolicyPreview }>({
    call: ({ patch }) => send('/v1/policy/preview', { method: 'POST', body: patch }),
    touches: [],
    then: ({ data }, { patch, version }) => setLooked({ preview: data, patch, version }),
  });
  const save = useDoing<Looked, { data: PolicyAnswer }>({
    call: ({ patch, version }) =>
      send('/v1/policy', { method: 'PUT', body: patch, ifMatch: version }),
    done: ({ data }) => `Saved as version ${data.version}; it holds from now on`,
    touches: ['policy', 'session'],
    then: () => {
      setLooked(null);
      saved();
    },
    refused: () => {
      // What was looked at is not what would be changed any more.
      setLooked(null);
      return false;
    },
  });
  return {
    looked: looked?.preview ?? null,
    looking: look.isPending,
    saving: save.isPending,
    look: (patch: unknown, version: number) => look.mutate({ patch, version }),
    save: () => {
      if (looked !== null) save.mutate(looked);
    },
    close: () => setLooked(null),
  };
}
