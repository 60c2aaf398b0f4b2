import type { Showcase } from './seed/showcase';
import type { Workspace } from './workspace';

export interface ConsolePage {
  /** As its route has it. */
  route: string;
  /** A file name for its picture. */
  name: string;
  /** What its picture shows. */
  shows: string;
  address(planted: Showcase, workspace: Workspace): string;
  /** A route of the API without which it has nothing to show. */
  needs: string;
}

const page = (
  name: string,
  route: string,
  needs: string,
  shows: string,
  address: ConsolePage['address'] = () => route,
): ConsolePage => ({ route, name, shows, address, needs });

/** Every page of the console, with an address at which there is something to see. */
export const PAGES: readonly ConsolePage[] = [
  page('home', '/', 'GET /v1/overview', 'How the fleet does, and what waits'),
  page('cards', '/cards', 'GET /v1/cards', 'Cards, with search and facets'),
  page(
    'card',
    '/cards/$id',
    'GET /v1/cards/:id',
    'One card: provenance, history, who sees it',
    ({ card }) => `/cards/${card}`,
  ),
  page('inbox', '/inbox', 'GET /v1/proposals', 'What waits for a decision'),
  page(
    'proposal',
    '/inbox/$id',
    'GET /v1/proposals/:id',
    'A contradiction: both sides, and what would change',
    ({ contradiction }) => `/inbox/${contradiction}`,
  ),
  page(
    'recall',
    '/recall',
    'POST /v1/recall',
    'The recall lab: what an agent would be told, and why',
    () => '/recall?agent=herald&q=send%20the%20newsletter%20to%20all%20readers&intent=act&asked=1',
  ),
  page('graph', '/graph', 'GET /v1/graph', 'Cards and what ties them'),
  page('runs', '/runs', 'GET /v1/runs', 'What changes memory by itself'),
  page(
    'run',
    '/runs/$id',
    'GET /v1/runs/:id',
    'One pass: what it did, and its undo',
    ({ run }) => `/runs/${run}`,
  ),
  page('captures', '/captures', 'GET /v1/events', 'What was captured, and what it came to'),
  page(
    'capture',
    '/captures/$id',
    'GET /v1/events/:event_id',
    'One capture, down to its history in Temporal',
    ({ capture }) => `/captures/${encodeURIComponent(capture)}`,
  ),
  page(
    'timeline',
    '/timeline',
    'GET /v1/timeline',
    'The history of a workflow',
    ({ contradiction }, { id }) =>
      `/timeline?workflow_id=${encodeURIComponent(`proposal/${id}/${contradiction}`)}`,
  ),
  page('audit', '/audit', 'GET /v1/audit', 'Who changed what, sealed'),
  page('access', '/audit/access', 'GET /v1/access-log', 'Who looked at what'),
  page(
    'chain',
    '/audit/chain',
    'GET /v1/audit/seals',
    'The seals of both logs, and whether they hold',
  ),
  page('erasures', '/erasures', 'GET /v1/erasures', 'Erasures and legal holds'),
  page(
    'erasure',
    '/erasures/$id',
    'GET /v1/erasures/:id',
    'One erasure, with its receipt',
    ({ erasure }) => `/erasures/${erasure}`,
  ),
  page('agents', '/agents', 'GET /v1/agents', 'The fleet, who spawned whom, who is stopped'),
  page(
    'agent',
    '/agents/$id',
    'GET /v1/agents/:id',
    'One agent: what it knows and is good at',
    () => '/agents/herald',
  ),
  page('skills', '/skills', 'GET /v1/skills', 'Procedures that worked'),
  page(
    'skill',
    '/skills/$name',
    'GET /v1/skills/:name',
    'One skill: versions, differences, tests',
    ({ skill }) => `/skills/${skill}`,
  ),
  page('insights', '/insights', 'GET /v1/insights', 'Findings, by urgency'),
  page(
    'insight',
    '/insights/$id',
    'GET /v1/insights/:id',
    'One insight: its score, what was done, what came of it',
    ({ insight }) => `/insights/${insight}`,
  ),
  page(
    'settings',
    '/settings',
    'GET /v1/workspace',
    'Policy, keys, people, webhooks, models',
    () => '/settings?tab=policy',
  ),
];
