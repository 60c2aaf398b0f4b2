import { z } from 'zod';
import {
  deprecateSkillSchema,
  newSkillSchema,
  newSkillVersionSchema,
  rollbackSkillSchema,
  skillParams,
  skillQuery,
  skillVersionParams,
  testSkillSchema,
} from '../../schemas/skill';
import { skillSchema } from '../../schemas/skill-answers';
import type { ApiDependencies, App } from '../app';
import { tagged } from '../card-versions';
import { scopeInQuery } from '../scope-in-query';
import { createSkill } from '../skill-creating';
import { deprecate } from '../skill-deprecating';
import { rollBackSkill, testSkill } from '../skill-use';
import { addSkillVersion } from '../skill-versioning';

const changedSkill = z.union([skillSchema, z.object({ id: z.string() })]);

/** Writing skills: versions, their tests, and which of them is in use. */
export function skillChangeRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/skills',
    {
      schema: {
        summary: "Write a skill; its scope is the agent's own unless a person names another",
        description:
          'Its text comes in parts (`document`), in Markdown (`body`), or as a whole file (`skill_md`), and ' +
          'is redacted. Its first version is in use at once; one that fails the `tests` it came with is 422 ' +
          '`tests_failed`. A name is one skill of its scope: again is 409 `name_taken`.',
        tags: ['skills'],
        body: newSkillSchema,
        response: { 201: changedSkill },
      },
    },
    async (request, reply) => {
      const skill = await createSkill(deps, request, request.body);
      return tagged(reply, skill).status(201).send(skill);
    },
  );

  app.post(
    '/v1/skills/:name/versions',
    {
      schema: {
        summary: 'Add a version as a draft; its tests put it in use',
        description: '`If-Match` may name the version in use that it was written from.',
        tags: ['skills'],
        params: skillParams,
        querystring: skillQuery,
        body: newSkillVersionSchema,
        response: { 201: changedSkill },
      },
    },
    async (request, reply) => {
      const { caller, params, query, body } = request;
      const named = { name: params.name, scope: scopeInQuery(deps, caller, query) };
      const skill = await addSkillVersion(deps, request, named, body);
      return tagged(reply, skill).status(201).send(skill);
    },
  );

  app.post(
    '/v1/skills/:name/versions/:n/test',
    {
      schema: {
        summary:
          'Run the tests of a skill on a version, and put it in use where it is no step back',
        description:
          'A test that the version in use passes and this one does not makes it `failed`, and the other one ' +
          'stays in use. `dry_run` runs the tests only. What reads like an instruction waits, with its ' +
          '`reason`, for a person to run them.',
        tags: ['skills'],
        params: skillVersionParams,
        querystring: skillQuery,
        body: testSkillSchema,
        response: { 200: changedSkill },
      },
    },
    async (request, reply) => {
      const { caller, params, query, body } = request;
      const named = { name: params.name, scope: scopeInQuery(deps, caller, query) };
      const asked = { version: params.n, isDry: body?.dry_run ?? false };
      const skill = await testSkill(deps, request, named, asked);
      return tagged(reply, skill).send(skill);
    },
  );

  app.post(
    '/v1/skills/:name/rollback',
    {
      schema: {
        summary: 'Take the version before, or the one that is named, back into use',
        tags: ['skills'],
        params: skillParams,
        querystring: skillQuery,
        body: rollbackSkillSchema,
        response: { 200: changedSkill },
      },
    },
    async (request, reply) => {
      const { caller, params, query, body } = request;
      const named = { name: params.name, scope: scopeInQuery(deps, caller, query) };
      const skill = await rollBackSkill(deps, request, named, body?.version ?? null);
      return tagged(reply, skill).send(skill);
    },
  );

  app.post(
    '/v1/skills/:name/deprecate',
    {
      schema: {
        summary:
          'Advise against a skill, and name the one to use instead; a rollback takes it back',
        tags: ['skills'],
        params: skillParams,
        querystring: skillQuery,
        body: deprecateSkillSchema,
        response: { 200: changedSkill },
      },
    },
    async (request, reply) => {
      const { caller, params, query, body } = request;
      const named = { name: params.name, scope: scopeInQuery(deps, caller, query) };
      const skill = await deprecate(deps, request, named, body?.replaced_by ?? null);
      return tagged(reply, skill).send(skill);
    },
  );
}
