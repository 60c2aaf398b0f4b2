import type { PlannedCall } from './world/tasks';

/**
 * What an agent asks its memory before a call, the same of every arm: the goal, the service and the operation
 * by name, and what it would send out of habit.
 */
export function queryOf({ goal, service, operation, intended }: PlannedCall): string {
  return `About to ${goal}: ${service} ${operation} ${JSON.stringify(intended)}`;
}
