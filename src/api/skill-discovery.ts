import { z } from 'zod';
import type { Page } from '../contracts/run';
import type { FoundSkill } from '../contracts/skill';
import { rankSkills } from '../domain/skills/rank';
import { lexicalTerms } from '../domain/terms';
import { labelSchema } from '../schemas/event';
import { skillCandidates } from '../store/skills-found';
import { skillsAmong } from '../store/skills-read';
import type { ApiDependencies } from './app';
import { askedText } from './asking';
import type { Caller } from './authentication';
import { readerOf } from './card-rights';
import { pageOf, positionIn } from './paging';
import { embedQuery } from './query-embedding';
import { logSkills, type PageAsked } from './skill-reading';
import { entryOf } from './skill-view';

const BY_SCORE = z.tuple([z.number(), labelSchema]);

/** Skills in use that fit what somebody is about to do, the best first. */
export async function discoverSkills(
  deps: ApiDependencies,
  caller: Caller,
  query: string,
  page: PageAsked,
): Promise<Page<FoundSkill>> {
  const reader = readerOf(caller, deps.clock);
  const after = positionIn(page.cursor, BY_SCORE);
  const asked = await askedText(deps, caller, query);
  const embedded = await embedQuery(deps.embedder(), asked);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const terms = [...lexicalTerms(asked).keys()];
    const ranked = rankSkills(await skillCandidates(tx, reader, { terms, embedded }));
    const rest = ranked.filter(({ id, score }) => after === null || isBehind(after, score, id));
    const wanted = rest.slice(0, page.limit + 1);
    const skills = await skillsAmong(
      tx,
      reader,
      wanted.map(({ id }) => id),
    );
    const byId = new Map(skills.map((skill) => [skill.card_id, skill]));
    const found = wanted.flatMap(({ id, score }) => {
      const skill = byId.get(id);
      return skill === undefined ? [] : [{ skill, score }];
    });
    await logSkills(
      tx,
      caller,
      reader,
      found.slice(0, page.limit).map(({ skill }) => skill),
    );
    const entries = found.map(({ skill, score }) => ({ ...entryOf(skill), score }));
    return pageOf(entries, page.limit, (one) => [one.score, one.card_id], ranked.length);
  });
}

function isBehind([last, lastId]: readonly [number, string], score: number, id: string): boolean {
  return score < last || (score === last && id > lastId);
}
