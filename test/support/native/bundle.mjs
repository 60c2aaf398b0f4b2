// Bundles the workflows of one file, as the worker of a runtime does, in a process of its own: webpack's memory is
// given back, and Jest's loader stays out of it.
//
// Usage: node bundle.mjs ENTRY FILE
import { writeFileSync } from 'node:fs';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const [entry, file] = process.argv.slice(2);
const { code } = await bundleWorkflowCode({
  workflowsPath: entry,
  logger: new DefaultLogger('WARN', ({ level, message }) => console.error(`${level} ${message}`)),
});
writeFileSync(file, code);
