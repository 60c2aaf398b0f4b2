import type { CardStatus } from '../../contracts/names';
import { addMemoryInput, addMemoryOutput } from '../../schemas/mcp';
import type { HELD_FOR } from '../../store/card-holding';
import type { WrittenCard } from '../card-creating';
import { writeCardOnce } from '../card-writing';
import { heldBack } from './held-back';
import { defineTool } from './tool';
import { requireWriter } from './writer';

export const addMemory = defineTool({
  name: 'add_memory',
  title: 'Remember something',
  description:
    'Keeps one fact or lesson for later, in your own memory. Secrets and contact data in it are redacted. For what has a name and changes, take note.',
  rule: 'POST /v1/cards',
  changes: 'adds',
  input: addMemoryInput,
  output: addMemoryOutput,
  run: async (deps, request, { text }) => {
    await requireWriter(deps, request.caller);
    const card = await writeCardOnce(deps, request, { summary: text });
    const memory = 'summary' in card ? card.summary : null;
    const result = { id: card.id, memory, event: 'ADD' as const };
    return { text: textOf(card), structured: { results: [{ ...result, ...standingOf(card) }] } };
  },
});

type Shown = WrittenCard | { id: string };

function standingOf(card: Shown): { status?: CardStatus; reason?: typeof HELD_FOR } {
  if (!('reason' in card) || card.reason === undefined) return {};
  return { status: card.status, reason: card.reason };
}

function textOf(card: Shown): string {
  const { reason } = standingOf(card);
  if (reason !== undefined) return `Kept as ${card.id}; ${heldBack(reason)}`;
  const isPending = 'status' in card && card.status === 'pending';
  return `Remembered as ${card.id}${isPending ? '; it is shown as unconfirmed until a person validates it' : ''}.`;
}
