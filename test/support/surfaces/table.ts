import { BROWSING } from './browsing';
import { MCP } from './mcp';
import { NOTING } from './noting';
import { PROPOSING } from './proposing';
import { RECALLING } from './recalling';
import { SKILLED } from './skilled';
import { SPEAKING } from './speaking';
import type { Surface } from './surface';

/**
 * Every way by which cards leave the system. To join, add one object of `Surface`: a name, the routes it
 * speaks for, and how it reads. What it lacks by nature (pages, one card) it leaves out.
 */
export const SURFACES: readonly Surface[] = [
  ...RECALLING,
  ...BROWSING,
  ...NOTING,
  ...SKILLED,
  ...SPEAKING,
  ...PROPOSING,
  ...MCP,
];
