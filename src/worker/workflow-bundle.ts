import { join } from 'node:path';

/** Where the build leaves the bundle of `src/workflows`. */
export function workflowBundlePath(): string {
  return join(__dirname, '..', 'workflows', 'bundle.js');
}
