import type { SettledEvent } from '../../contracts/event';
import { isGenerated } from '../generated-id';

/** The task as somebody named it; undefined where a program did, whose ids would make alike cards differ. */
export function spokenTask({ task }: SettledEvent): string | undefined {
  return task === undefined || isGenerated(task) ? undefined : task;
}
