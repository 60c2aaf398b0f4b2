import { pageSchema } from '../../schemas/listing';
import {
  oneSkillQuery,
  skillDiffQuery,
  skillListQuery,
  skillParams,
  skillVersionsQuery,
} from '../../schemas/skill';
import {
  listedSkillSchema,
  skillDiffSchema,
  skillSchema,
  skillVersionEntrySchema,
} from '../../schemas/skill-answers';
import type { ApiDependencies, App } from '../app';
import { tagged } from '../card-versions';
import { scopeInQuery } from '../scope-in-query';
import { discoverSkills } from '../skill-discovery';
import { diffOfSkill, loadSkill, skillFile, skillsPage, versionsPage } from '../skill-reading';

/** Skills as they are found, loaded and compared. */
export function skillRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/skills',
    {
      schema: {
        summary:
          'Skills that the caller may see, by name; with a query those that fit, the best first',
        description:
          'A `query` finds skills that are in use, each with its `score`; of several of one name an agent ' +
          'is shown the nearest. Without one, drafts and deprecated skills are listed too.',
        tags: ['skills'],
        querystring: skillListQuery,
        response: { 200: pageSchema(listedSkillSchema) },
      },
    },
    async ({ caller, query: { query, status, ...page } }) =>
      query === undefined
        ? await skillsPage(deps, caller, status ?? null, page)
        : await discoverSkills(deps, caller, query, page),
  );

  app.get(
    '/v1/skills/:name',
    {
      schema: {
        summary:
          'One skill, the version in use unless another is named; of several of a name the nearest',
        description:
          "The agent's own comes first, then its team's, then the workspace's; `scope_type` and `scope_id` " +
          'name another. Older versions, drafts and failed ones are there for people and for the agent ' +
          'whose skill it is. What an agent loads is recorded as what a recall injects.',
        tags: ['skills'],
        params: skillParams,
        querystring: oneSkillQuery,
        response: { 200: skillSchema },
      },
    },
    async ({ caller, params: { name }, query: { version, ...scope } }, reply) => {
      const named = { name, scope: scopeInQuery(deps, caller, scope) };
      const skill = await loadSkill(deps, caller, named, version ?? null);
      return tagged(reply, skill).send(skill);
    },
  );

  app.get(
    '/v1/skills/:name/skill.md',
    {
      schema: {
        summary: 'The same as a SKILL.md: front matter in YAML, and Markdown',
        tags: ['skills'],
        params: skillParams,
        querystring: oneSkillQuery,
      },
    },
    async ({ caller, params: { name }, query: { version, ...scope } }, reply) => {
      const named = { name, scope: scopeInQuery(deps, caller, scope) };
      const file = await skillFile(deps, caller, named, version ?? null);
      return reply.type('text/markdown; charset=utf-8').send(file);
    },
  );

  app.get(
    '/v1/skills/:name/versions',
    {
      schema: {
        summary: 'The versions of a skill that the caller may see, the newest first',
        tags: ['skills'],
        params: skillParams,
        querystring: skillVersionsQuery,
        response: { 200: pageSchema(skillVersionEntrySchema) },
      },
    },
    async ({ caller, params: { name }, query: { limit, cursor, ...scope } }) => {
      const named = { name, scope: scopeInQuery(deps, caller, scope) };
      return await versionsPage(deps, caller, named, { limit, cursor });
    },
  );

  app.get(
    '/v1/skills/:name/diff',
    {
      schema: {
        summary: 'What differs between two versions of a skill, by section',
        description: 'Left out: from the version in use, to the latest that the caller may see.',
        tags: ['skills'],
        params: skillParams,
        querystring: skillDiffQuery,
        response: { 200: skillDiffSchema },
      },
    },
    async ({ caller, params: { name }, query: { from, to, ...scope } }) => {
      const named = { name, scope: scopeInQuery(deps, caller, scope) };
      return await diffOfSkill(deps, caller, named, { from: from ?? null, to: to ?? null });
    },
  );
}
