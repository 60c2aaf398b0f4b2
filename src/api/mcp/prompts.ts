import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { RecallRequest } from '../../contracts/recall';
import { endTaskInput, startTaskInput } from '../../schemas/mcp';
import type { ApiDependencies } from '../app';
import type { Caller } from '../authentication';
import { notFound } from '../problem';
import { discoverSkills } from '../skill-discovery';
import { endText, startText } from './prompt-texts';
import { contextText, recalled } from './searching';
import { skillLine } from './skills';
import { type Rule, wrongArguments } from './tool';
import { mayUse, requireUse } from './tools';

/** A prompt: what a person picks in a client, and a model is then told. */
interface TaskPrompt {
  card: Prompt;
  rules: readonly Rule[];
  /** @throws Problem 400 where the arguments are not its own */
  text(deps: ApiDependencies, caller: Caller, args: unknown): Promise<string>;
}

/** As many as a person would look at before they begin. */
const SKILLS_SHOWN = 3;

const TASK = { name: 'task', description: 'What the task is, in plain words', required: true };

const PROMPTS: readonly TaskPrompt[] = [
  {
    card: {
      name: 'start_task',
      title: 'Start a task with what is known',
      description:
        'What memory holds for a task, ready to go by: what to avoid, what worked, skills that fit, and how to use memory on the way.',
      arguments: [
        TASK,
        {
          name: 'intent',
          description: 'act, plan or look_up; by the words of the task when left out',
          required: false,
        },
      ],
    },
    rules: ['POST /v1/recall', 'GET /v1/skills'],
    text: async (deps, caller, args) => {
      const { task, intent } = argumentsOf('start_task', startTaskInput, args);
      const request = { query: task, ...(intent === undefined ? {} : { intent }) };
      const answer = await recalled(deps, caller, request as RecallRequest);
      const skills = await discoverSkills(deps, caller, task, { limit: SKILLS_SHOWN });
      return startText(task, {
        memory: contextText(answer),
        skills: skills.items.map(skillLine),
        mayWrite: mayUse('POST /v1/cards', caller),
      });
    },
  },
  {
    card: {
      name: 'end_task',
      title: 'End a task and leave what was learned',
      description:
        'Asks for what is worth keeping of a task that has ended: which memories held, what was learned, and with which tool it is saved.',
      arguments: [
        TASK,
        {
          name: 'outcome',
          description: 'worked, failed, blocked or neutral; neutral when left out',
          required: false,
        },
      ],
    },
    rules: ['POST /v1/recall'],
    text: async (_deps, caller, args) => {
      const { task, outcome = 'neutral' } = argumentsOf('end_task', endTaskInput, args);
      return endText(task, outcome, mayUse('POST /v1/cards', caller));
    },
  },
];

/** What an agent is shown, restricted or not. */
export function everyPrompt(): Prompt[] {
  return PROMPTS.map(({ card }) => card);
}

/** What this caller may use now. */
export function shownPrompts(caller: Caller): Prompt[] {
  return PROMPTS.flatMap(({ card, rules }) =>
    rules.every((rule) => mayUse(rule, caller)) ? [card] : [],
  );
}

/** @throws Problem 404 for a name that is no prompt, 400 for arguments that are not its own, and as recall does */
export async function getPrompt(
  deps: ApiDependencies,
  caller: Caller,
  name: string,
  args: Record<string, string>,
): Promise<GetPromptResult> {
  const prompt = PROMPTS.find(({ card }) => card.name === name);
  if (prompt === undefined) throw notFound('prompt');
  for (const rule of prompt.rules) requireUse(rule, caller);
  const text = await prompt.text(deps, caller, args);
  const { description = '' } = prompt.card;
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function argumentsOf<T extends z.ZodObject>(name: string, schema: T, args: unknown): z.output<T> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  throw wrongArguments(name, Object.keys(schema.shape), parsed.error);
}
