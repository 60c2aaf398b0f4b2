import { ADAPTING } from './adapting';
import { BROWSING } from './browsing';
import { CONVERSING } from './conversing';
import { EXPORTING } from './exporting';
import { INSIGHTFUL } from './insightful';
import { MCP } from './mcp';
import { MCP_BESIDE_TOOLS } from './mcp-beside-tools';
import { NOTING } from './noting';
import { PROPOSING } from './proposing';
import { RECALLING } from './recalling';
import { REMEMBERING } from './remembering';
import { RUNTIME } from './runtime';
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
  ...CONVERSING,
  ...SKILLED,
  ...INSIGHTFUL,
  ...SPEAKING,
  ...EXPORTING,
  ...ADAPTING,
  ...PROPOSING,
  ...MCP,
  ...MCP_BESIDE_TOOLS,
  ...REMEMBERING,
  ...RUNTIME,
];
