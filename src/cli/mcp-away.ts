import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ServerResult } from '@modelcontextprotocol/sdk/types.js';
import { CAPABILITIES } from '../api/mcp/introduction';
import { CairnError } from '../client/error';
import { Failed } from './failure';

/** Over stdio something is open: a client is told that lists which it got, or missed, while Cairn was away are others now. */
export const STDIO_CAPABILITIES = {
  tools: { ...CAPABILITIES.tools, listChanged: true },
  resources: { ...CAPABILITIES.resources, listChanged: true },
  prompts: { ...CAPABILITIES.prompts, listChanged: true },
};

type List = keyof typeof STDIO_CAPABILITIES;

const LISTS: Readonly<Record<string, List>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'prompts/list': 'prompts',
};

/** What a proxy says in the place of a server that is down, or one that starts. */
const DOWN = [0, 502, 503, 504];

/**
 * What a client is told of lists while Cairn is away. Most ask for the tools once, as they start: without
 * them they would have none for as long as they run.
 */
export class Away {
  private readonly owed = new Set<List>();

  constructor(
    private readonly server: Pick<Server, `send${'Tool' | 'Resource' | 'Prompt'}ListChanged`>,
  ) {}

  /**
   * The list that Cairn would give an agent without restrictions; a call is judged there all the same.
   * @returns null for what nobody knows but Cairn, and where Cairn is not away
   */
  listFor(method: string, params: Record<string, unknown>, error: unknown): ServerResult | null {
    const isAway =
      error instanceof Failed || (error instanceof CairnError && DOWN.includes(error.status));
    if (!isAway) return null;
    const list = LISTS[method];
    if (list !== undefined) this.owed.add(list);
    // None of these has a second page.
    return params.cursor === undefined ? (alwaysListed(method) ?? null) : null;
  }

  /** To be called whenever Cairn answered `method`: the client hears which other lists to ask for again. */
  async ended(method: string): Promise<void> {
    const lists = [...this.owed].filter((list) => list !== LISTS[method]);
    this.owed.clear();
    const { server } = this;
    const tell = {
      tools: () => server.sendToolListChanged(),
      resources: () => server.sendResourceListChanged(),
      prompts: () => server.sendPromptListChanged(),
    };
    // A client that has gone has nothing to be told.
    await Promise.allSettled(lists.map((list) => tell[list]()));
  }
}

function alwaysListed(method: string): ServerResult | undefined {
  // Loaded only here: with them comes most of the API, for which nothing else on this side has a use.
  switch (method) {
    case 'tools/list': {
      const { everyTool } = require('../api/mcp/tools') as typeof import('../api/mcp/tools');
      return { tools: everyTool() };
    }
    case 'prompts/list': {
      const { everyPrompt } = require('../api/mcp/prompts') as typeof import('../api/mcp/prompts');
      return { prompts: everyPrompt() };
    }
    case 'resources/templates/list': {
      const { resourceTemplates } =
        require('../api/mcp/resources') as typeof import('../api/mcp/resources');
      return resourceTemplates();
    }
  }
  return undefined;
}
