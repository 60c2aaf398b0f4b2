import type { Caller } from '../authentication';
import { notAllowed, Problem } from '../problem';
import { type Access, ROUTE_RULES, requireAllowed } from '../roles';
import { memoryManage, validate } from './managing';
import { note, readNotes } from './notes';
import { addMemory } from './remembering';
import { memorySearch, searchMemories } from './searching';
import { share, unshare } from './sharing';
import { discover, load } from './skills';
import type { Rule, Tool, ToolCard } from './tool';

/** Every tool, in the order in which a client shows them. */
const TOOLS: readonly Tool[] = [
  memorySearch,
  searchMemories,
  memoryManage,
  addMemory,
  note,
  readNotes,
  discover,
  load,
  validate,
  share,
  unshare,
];

export function toolNamed(name: string): Tool | undefined {
  return TOOLS.find((tool) => tool.name === name);
}

/** What an agent without restrictions is shown. */
export function everyTool(): ToolCard[] {
  return TOOLS.map(({ card }) => card);
}

/** What this caller may use now; the list is made anew whenever it is asked for. */
export function shownTools(caller: Caller): ToolCard[] {
  return TOOLS.flatMap(({ rule, card, reading }) => {
    if (mayUse(rule, caller)) return [card];
    return reading !== null && mayUse(reading.rule, caller) ? [reading.card] : [];
  });
}

export function accessOf(rule: Rule): Access {
  const route = ROUTE_RULES[rule];
  if (route === undefined) throw new Error(`${rule} is no route`);
  return route.access;
}

/** @throws Problem 403 where neither the tool nor its shorter form is the caller's to use. */
export function requireShown(tool: Tool, caller: Caller): void {
  if (tool.reading !== null && mayUse(tool.reading.rule, caller)) return;
  requireUse(tool.rule, caller);
}

/**
 * By the rule of the route that does the same. A restricted agent has the reading tools only, whoever
 * holds the key: what a route would keep for its parent to accept is refused here.
 * @throws Problem 403
 */
export function requireUse(rule: Rule, caller: Caller): void {
  const route = ROUTE_RULES[rule];
  if (route === undefined) throw new Error(`${rule} is no route`);
  if (caller.restricted && route.access !== 'read') {
    throw notAllowed('a restricted agent reads only; ask the agent that started it to write this');
  }
  requireAllowed(route, caller);
}

/** The same as a question. */
export function mayUse(rule: Rule, caller: Caller): boolean {
  try {
    requireUse(rule, caller);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
