import type { SettledEvent } from '../../contracts/event';
import { looksLikeInstruction } from './instruction-like';

const LABELS = ['task', 'task_type', 'service', 'operation'] as const;

/**
 * The event without the labels that speak to a reader: a task may be named by whoever asked for it, and
 * a card's sentence names it. As a hint to search by, a label stays on the card as it is.
 */
export function withHonestLabels(event: SettledEvent): SettledEvent {
  const honest = { ...event };
  for (const label of LABELS) if (isPlanted(event[label])) delete honest[label];
  const { workflow_step: step } = event;
  if (isPlanted(step?.workflow) || isPlanted(step?.step)) delete honest.workflow_step;
  return honest;
}

/** Whether a label holds what only a planted instruction says. */
export function hasPlantedLabel(event: SettledEvent): boolean {
  const { workflow_step: step } = event;
  return [...LABELS.map((label) => event[label]), step?.workflow, step?.step].some(isPlanted);
}

function isPlanted(label: string | undefined): boolean {
  return typeof label === 'string' && looksLikeInstruction(label, 'request');
}
