import type { Rule } from './tool';

/**
 * The routes whose rules a tool goes by, each of its forms and each way of calling it: whoever may use the
 * route may use the tool so. A tool without a line here fails a test.
 */
export const TOOL_ROUTES: Readonly<Record<string, readonly Rule[]>> = {
  memory_search: ['POST /v1/recall'],
  search_memories: ['POST /v1/recall'],
  memory_manage: ['POST /v1/cards', 'PATCH /v1/cards/:id', 'DELETE /v1/cards/:id'],
  add_memory: ['POST /v1/cards'],
  note: ['GET /v1/notes/:key', 'PUT /v1/notes/:key', 'DELETE /v1/notes/:key'],
  read_notes: ['GET /v1/notes'],
  discover_skills: ['GET /v1/skills'],
  load_skill: ['GET /v1/skills/:name'],
  validate: ['POST /v1/cards/:id/validation'],
  share: ['PUT /v1/cards/:id/grants/:agent'],
  unshare: ['DELETE /v1/cards/:id/grants/:agent'],
};
