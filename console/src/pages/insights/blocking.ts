import { send } from '../../api/http';
import { askReason } from '../../components/ask-reason';
import { useDoing } from '../../components/doing';

interface Blocked {
  hash: string;
  text: string;
}

const pathOf = (hash: string) => `/v1/actions/${encodeURIComponent(hash)}/block`;
const TOUCHES = ['actions', 'insights', 'cards'];

/** Takes an action out of every insight, and lets it be recommended again. */
export function useBlocking() {
  const block = useDoing<{ hash: string; reason: string | undefined }>({
    call: ({ hash, reason }) =>
      send(pathOf(hash), { method: 'PUT', body: reason === undefined ? {} : { reason } }),
    done: 'Blocked: no insight recommends it any more',
    touches: TOUCHES,
  });
  const unblock = useDoing<string>({
    call: (hash) => send(pathOf(hash), { method: 'DELETE' }),
    done: 'It may be recommended again',
    touches: TOUCHES,
  });
  return {
    unblock,
    askToBlock: ({ hash, text }: Blocked) =>
      askReason({
        title: 'Block this action?',
        says: `“${text}” is taken out of every insight from the next read on, and nobody sees its text there. What came of it stays known.`,
        yes: 'Block it',
        danger: true,
        onYes: (reason) => block.mutate({ hash, reason }),
      }),
  };
}
