import type { WorkflowType } from '../../contracts/names';

/** What a person reads instead of the names that Temporal knows. Each activity, signal and update has its row. */

export const ACTIVITY_NAMES: Readonly<Record<string, string>> = {
  captureAtOnce: 'Decide whether the event is kept; without a model, file its card',
  distillByModel: 'Have a model word the card',
  fileCard: 'File the card and link it',
  giveUp: 'Settle the event without a card of its own',

  embedBatch: 'Compute vectors that are missing',
  nextToRedistill: 'Pick the next cards that no model has worded',
  rewriteCard: "Give a card the model's words",
  countUseless: 'Count a card that the model could not word',
  endRedistill: 'Write down how the rewording ended',
  beginReembed: 'Begin the change to another embedding model',
  reembedBatch: 'Compute vectors by the new model',
  cutOver: 'Have recall use the new vectors',
  linkReembedded: 'Link cards by the new vectors',
  clearVectors: 'Clear the old vectors',
  endReembed: 'Write down how the change ended',

  beginPass: 'Begin the pass',
  nextUnits: 'Pick the next scopes',
  endPass: 'Write down how the pass ended',
  beginUnit: 'Begin with one scope',
  holdScope: 'Take hold of the scope, so that no other pass changes it',
  endUnit: 'Write down how the scope ended',
  planScope: 'Plan what to merge and what to note',
  draftByModel: 'Have a model word one part',
  draftByRules: 'Word one part by the rules',
  commitPart: 'Put one part in place',
  watchScope: 'Look at what earlier reflections came to',
  planReflection: 'Pick what to reflect on',
  reflectByModel: 'Have a model reflect',
  reflectByRules: 'Reflect by the rules',
  judgeFound: 'Judge what was found',
  endReflection: 'Note how far it came',
  recalibrateBatch: 'Recalibrate a batch of cards',
  retainBatch: 'Apply retention to a batch of rows',

  readTask: 'Read the task that ended',
  scoreTask: 'Have a model judge what is new about it',
  writeSkill: 'Have a model write the skill',
  draftSkill: 'Draft the skill by the rules',
  fileSkill: 'Test the skill and file it',
  reflectOnTask: 'Have a model say why the task failed',
  draftReflection: 'Say by the rules why the task failed',
  fileReflection: 'Write why the task failed on its card',
  noteFailures: 'Keep the failures as tests of its skills',
  endLearning: 'Write down what was learned',

  beginProposal: 'Open the proposal',
  draftFix: 'Have a model word the fix',
  openProposal: 'Show the proposal to those who decide',
  remindProposal: 'Remind those who decide',
  decideProposal: 'Check the decision and carry it out',
  expireProposal: 'Close the proposal undecided',
  watchFix: 'See how the fix does',
  lapseFix: 'Give up the fix that nobody applied or used',

  lookAtInsight: 'Look at the actions that were taken',
  measureAction: 'Measure what an action came to',
  orderFollowUp: 'Carry out what was asked',
  endInsight: 'Write down how the follow-up ended',

  beginCompaction: 'Begin the compaction',
  writeSummary: 'Have a model write the summary',
  extractFacts: 'Have a model find the facts',
  commitSummary: 'Check the summary and put it in place',
  fileFacts: 'File the facts as cards',
  endCompaction: 'Write down how the compaction ended',
  dropCompaction: 'Give the compaction up',

  beginErasure: 'Begin the erasure',
  beginErasureRound: 'Begin a walk through everything',
  eraseBatch: 'Erase a batch',
  searchErased: 'Look through every durable place for what may be left',
  closeErasure: 'Sign the receipt',
  forgetErasure: 'Forget what was looked for',

  beginRescan: 'Begin to scan everything durable',
  rescanBatch: 'Scan a batch, and repair it',
  endRescan: 'Write down what was found',
  cancelRescan: 'Write down that the scan was cancelled',

  applyImport: 'Take in a batch of lines',
  endImport: 'Write down how the import ended',
  sealBlock: 'Seal a block of the audit log',
  sweepWorkspaces: 'Look after what was left behind',
};

/** What the first step of a workflow is called. */
export const WORKFLOW_NAMES: Readonly<Record<WorkflowType, string>> = {
  capture: 'An event is to become a card',
  embed: 'Cards wait for their vectors',
  redistill: 'Cards are to be reworded by a model',
  reembed: 'Vectors are to be made anew by another model',
  sweep: 'The workspaces are looked through',
  proposal: 'A proposal waits to be decided',
  seal: 'The audit log is to be sealed',
  fanOut: 'A pass over the workspace',
  consolidateScope: 'A scope is consolidated',
  reflectScope: 'A scope is reflected on',
  recalibrate: 'The workspace is recalibrated',
  retain: 'Retention is applied',
  learn: 'A task has ended, and may teach something',
  compact: 'A conversation is compacted',
  rescan: 'Everything durable is scanned once more',
  insight: 'An action was taken, and is followed up',
  importFile: 'An export is taken in',
  erase: 'Something is to be erased',
};

/** What a timer of such a workflow waits for; where nothing but a clock, that. */
export const WAIT_NAMES: Readonly<Record<WorkflowType, string>> = {
  capture: 'Wait',
  embed: 'Wait for edits of these cards to settle',
  redistill: 'Wait',
  reembed: 'Wait for edits of these cards to settle',
  sweep: 'Wait',
  proposal: 'Wait for a person, or for the fix',
  seal: 'Wait for open transactions',
  fanOut: 'Wait',
  consolidateScope: 'Wait for another pass to let go of the scope',
  reflectScope: 'Wait for another pass to let go of the scope',
  recalibrate: 'Wait for another pass to let go of the workspace',
  retain: 'Wait for another pass to let go of the workspace',
  learn: 'Wait for what belongs to the task',
  compact: 'Wait',
  rescan: 'Wait',
  insight: "Wait for the end of an action's window",
  importFile: 'Wait',
  erase: 'Wait for older transactions',
};

export const SIGNAL_NAMES: Readonly<Record<string, string>> = {
  decide: 'Somebody decided by way of Temporal',
  fix_applied: 'The fix was applied',
  fix_watched: 'The step that was fixed has shown how it does',
  changed: 'The actions of the insight changed',
  pause: 'Told to pause',
  resume: 'Told to go on',
  task_ended: 'The task ended',
  more: 'More cards wait for vectors',
};

export const UPDATE_NAMES: Readonly<Record<string, string>> = {
  decide: 'Somebody decided',
  measure_now: 'Somebody asked to measure now',
  extend: 'Somebody asked for a longer window',
  cancel: 'Somebody cancelled the follow-up',
};

export const CANCEL_ASKED = 'Told to end';
export const CHILD_CANCELLED = 'Tell a unit to end';
export const CHILD_SIGNALLED: Readonly<Record<string, string>> = {
  pause: 'Tell a unit to pause',
  resume: 'Tell a unit to go on',
};
export const TOLD_OTHER = 'Tell another workflow';
export const CONTINUED = 'Go on in a new run, so that no history grows too long';
export const PATCHED = 'A change of the program takes effect from here';

/** Of an older or a newer version of Cairn a name may be missing: then it is Temporal's. */
export function nameIn(names: Readonly<Record<string, string>>, name: string | null | undefined) {
  const own = name ?? '';
  return Object.hasOwn(names, own) ? (names[own] ?? own) : own;
}
