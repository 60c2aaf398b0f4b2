import { shareInput, shareOutput, unshareInput, unshareOutput } from '../../schemas/mcp';
import { shareWithAgent, unshareFromAgent } from '../card-granting';
import { defineTool } from './tool';

export const share = defineTool({
  name: 'share',
  title: 'Share a memory with one agent',
  description:
    'Lets one more agent see one of your own cards, within your team or spawn tree. Again replaces purpose and end.',
  rule: 'PUT /v1/cards/:id/grants/:agent',
  changes: 'overwrites',
  input: shareInput,
  output: shareOutput,
  run: async (deps, request, { id, agent, ...terms }) => {
    const grant = await shareWithAgent(deps, request, { id, agent, terms });
    const given = 'type' in grant ? grant : { agent, purpose: null, expires_at: null };
    const end = given.expires_at === null ? '' : ` until ${given.expires_at}`;
    return {
      text: `Shared ${id} with ${given.agent ?? agent}${end}.`,
      structured: {
        id,
        agent: given.agent ?? agent,
        purpose: given.purpose,
        expires_at: given.expires_at,
      },
    };
  },
});

export const unshare = defineTool({
  name: 'unshare',
  title: 'Take a shared memory back',
  description:
    'Takes back what share gave: the very next read of that agent no longer sees the card.',
  rule: 'DELETE /v1/cards/:id/grants/:agent',
  changes: 'overwrites',
  input: unshareInput,
  output: unshareOutput,
  run: async (deps, request, { id, agent }) => {
    await unshareFromAgent(deps, request, { id, agent });
    return { text: `${agent} no longer sees ${id} by your grant.`, structured: { id, agent } };
  },
});
