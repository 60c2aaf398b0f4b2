import type { RecallAnswer, RecalledCard, RecallRequest } from '../../contracts/recall';
import {
  memorySearchInput,
  memorySearchOutput,
  searchMemoriesInput,
  searchMemoriesOutput,
} from '../../schemas/mcp';
import type { ApiDependencies } from '../app';
import type { Caller } from '../authentication';
import { requireReader } from '../known-agent';
import { NOT_MODIFIED, recall } from '../recall';
import { quoted } from './quoted';
import { MEMORY_OFF } from './switched-off';
import { defineTool } from './tool';

/** The most that a recall packs: a list is asked for by its length, not by its tokens. */
const NO_BUDGET = 100_000;

export const memorySearch = defineTool({
  name: 'memory_search',
  title: 'Search memory before acting',
  description:
    'The few memories that fit what you are about to do, packed for your context: things to avoid, what worked, who is good at it, conventions, facts. Never both sides of a contradiction. Call it before you act or plan.',
  rule: 'POST /v1/recall',
  changes: 'nothing',
  input: memorySearchInput,
  output: memorySearchOutput,
  run: async (deps, { caller }, args) => {
    const answer = await recalled(deps, caller, args as RecallRequest);
    return {
      text: contextText(answer),
      structured: {
        recall_id: answer.recall_id,
        context_version: answer.context_version,
        ...(answer.degraded === undefined ? {} : { degraded: answer.degraded }),
        intent: answer.intent,
        context: answer.context,
        sections: answer.sections,
        cards: answer.cards.map(foundCard),
      },
    };
  },
});

export const searchMemories = defineTool({
  name: 'search_memories',
  title: 'List matching memories',
  description:
    'Memories that match a query as a plain list, the best first, each with its id and score. For a context that is ready to use, take memory_search.',
  rule: 'POST /v1/recall',
  changes: 'nothing',
  input: searchMemoriesInput,
  output: searchMemoriesOutput,
  run: async (deps, { caller }, args) => {
    const request = { ...args, budget_tokens: NO_BUDGET } as RecallRequest;
    const answer = await recalled(deps, caller, request);
    return {
      text: listText(answer),
      structured: { results: answer.cards.map(memoryOf) },
    };
  },
});

/** The recall of `POST /v1/recall`, an agent's registration at first sight included. */
export async function recalled(
  deps: ApiDependencies,
  caller: Caller,
  request: RecallRequest,
): Promise<RecallAnswer> {
  await requireReader(deps, caller);
  const answer = await recall(deps, caller, request);
  if (answer === NOT_MODIFIED) throw new Error('a recall without a version has an answer');
  return answer;
}

const NOTHING = 'Nothing that is remembered fits this.';

/** The ids stand below in the order of the lines above, for `share` and what else takes one. */
export function contextText({ context, sections, degraded }: RecallAnswer): string {
  const ids = sections.flatMap((section) => section.cards);
  return [
    context === '' ? NOTHING : context,
    ids.length === 0 ? null : `Ids, in the order of the lines above: ${ids.join(', ')}`,
    degradedText(degraded),
  ]
    .filter((part) => part !== null)
    .join('\n\n');
}

function listText({ cards, degraded }: RecallAnswer): string {
  const lines = cards.map(
    (card, index) =>
      `${index + 1}. ${quoted(card.summary)} (${card.id}, ${card.kind}, ${card.sign}, by ${card.trust}, score ${card.score.toFixed(2)})`,
  );
  return [lines.length === 0 ? NOTHING : lines.join('\n'), degradedText(degraded)]
    .filter((part) => part !== null)
    .join('\n\n');
}

function degradedText(degraded: readonly string[] | undefined): string | null {
  if (degraded === undefined) return null;
  if (degraded.includes('memory_off')) return MEMORY_OFF;
  return `Left out this time: ${degraded.join(', ')}. There may be more than was found.`;
}

function foundCard(card: RecalledCard) {
  const { hints, folded, resolved_by, outdated } = card;
  return {
    id: card.id,
    kind: card.kind,
    sign: card.sign,
    status: card.status,
    summary: card.summary,
    key: card.key,
    subject: card.subject,
    trust: card.trust,
    confidence: card.confidence,
    flags: card.flags,
    valid_from: card.valid_from,
    recorded_at: card.recorded_at,
    version: card.version,
    metadata: card.metadata,
    service: hints.service,
    operation: hints.operation,
    score: card.score,
    via: card.via,
    ...(resolved_by === undefined ? {} : { resolved_by }),
    ...(folded === undefined ? {} : { folded }),
    ...(outdated === undefined ? {} : { outdated }),
  };
}

function memoryOf(card: RecalledCard) {
  return {
    id: card.id,
    memory: card.summary,
    score: card.score,
    created_at: card.recorded_at,
    user_id: card.subject,
    agent_id: card.scope.type === 'agent' ? card.scope.id : null,
    run_id: card.session,
    metadata: card.metadata,
  };
}
