import type { Insight, InsightAction } from '../../../../src/contracts/insight';

/** An outcome is a card too, and changes what is recommended elsewhere. */
export const TOUCHES = ['insights', 'actions', 'cards', 'runs'];

/** What the forms of an action are given. */
export interface OfAction {
  insight: Insight;
  action: InsightAction;
  opened: boolean;
  close(): void;
}

export function pathOf(
  { id }: Pick<Insight, 'id'>,
  action: Pick<InsightAction, 'id'>,
  what: 'taken' | 'measure' | 'extend' | 'cancel',
): string {
  return `/v1/insights/${encodeURIComponent(id)}/actions/${encodeURIComponent(action.id)}/${what}`;
}
