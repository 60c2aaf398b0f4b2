import type { Workspace } from '../workspace';
import { plantConfigFix, plantContradiction, plantPendingWrite, plantPromotion } from './deciding';
import {
  plantDeletedCard,
  plantErasure,
  plantHouse,
  plantRecalls,
  plantRuns,
  plantSkill,
} from './keeping';
import { plantFleet, plantInsights } from './samples';

export interface Showcase {
  card: string;
  capture: string;
  fix: string;
  insight: string;
  contradiction: string;
  sides: [string, string];
  promotion: string;
  promoted: string;
  pending: string;
  deleted: string;
  erasure: string;
  skill: string;
  run: string;
}

/** One of everything that a page has to show. */
export async function plantShowcase(workspace: Workspace): Promise<Showcase> {
  await plantHouse(workspace);
  const fleet = await plantFleet(workspace);
  const runs = await plantRuns(workspace);
  const decided = {
    ...(await plantConfigFix(workspace)),
    ...(await plantContradiction(workspace)),
    ...(await plantPromotion(workspace)),
    ...(await plantPendingWrite(workspace)),
  };
  const insights = await plantInsights(workspace);
  const kept = {
    ...(await plantSkill(workspace)),
    ...(await plantDeletedCard(workspace)),
    ...(await plantErasure(workspace)),
  };
  await plantRecalls(workspace);
  return { ...decided, ...insights, ...kept, ...runs, ...fleet };
}
