import { addMemoryInput, addMemoryOutput } from '../../schemas/mcp';
import { writeCardOnce } from '../card-writing';
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
    const isPending = 'status' in card && card.status === 'pending';
    return {
      text: `Remembered as ${card.id}${isPending ? '; it is shown as unconfirmed until a person validates it' : ''}.`,
      structured: { results: [{ id: card.id, memory, event: 'ADD' as const }] },
    };
  },
});
