import type { z } from 'zod';
import {
  memoryManageInput,
  memoryManageOutput,
  validateInput,
  validateOutput,
} from '../../schemas/mcp';
import type { ApiDependencies } from '../app';
import { correctOnTop, deleteCard } from '../card-correcting';
import type { WrittenCard } from '../card-creating';
import { validateCard } from '../card-validating';
import { writeCardOnce } from '../card-writing';
import type { Asked } from '../idempotency';
import { heldBack } from './held-back';
import { defineTool, type Rule, type ToolAnswer } from './tool';
import { requireWriter } from './writer';

type Args = z.output<typeof memoryManageInput>;
type Answer = ToolAnswer<z.output<typeof memoryManageOutput>>;

const RULES: Readonly<Record<Args['action'], Rule>> = {
  save: 'POST /v1/cards',
  update: 'PATCH /v1/cards/:id',
  delete: 'DELETE /v1/cards/:id',
};

export const memoryManage = defineTool({
  name: 'memory_manage',
  title: 'Save, correct or delete a memory',
  description:
    'Keeps a new memory of a kind and perhaps under a key, corrects one of your own by its id, or deletes one. The version before a correction stays in its history, and a person can restore what was deleted.',
  rule: RULES.save,
  changes: 'overwrites',
  input: memoryManageInput,
  output: memoryManageOutput,
  ruleOf: ({ action }) => RULES[action],
  run: async (deps, request, args) => {
    switch (args.action) {
      case 'save':
        return await saved(deps, request, args);
      case 'update':
        return await updated(deps, request, args);
      case 'delete':
        return await deleted(deps, request, args.id ?? '');
      default:
        return args.action satisfies never;
    }
  },
});

async function saved(deps: ApiDependencies, request: Asked, args: Args): Promise<Answer> {
  await requireWriter(deps, request.caller);
  const { text = '', kind, key } = args;
  const card = await writeCardOnce(deps, request, {
    summary: text,
    ...(kind === undefined ? {} : { kind }),
    ...(key === undefined ? {} : { key }),
  });
  const structured = { action: 'saved' as const, ...shown(card) };
  if (structured.reason !== undefined) {
    return { text: `Kept as ${card.id}; ${heldBack(structured.reason)}`, structured };
  }
  const isPending = structured.status === 'pending';
  const until = isPending ? '; it is shown as unconfirmed until a person validates it' : '';
  return { text: `Saved as ${card.id}${until}.`, structured };
}

async function updated(deps: ApiDependencies, request: Asked, args: Args): Promise<Answer> {
  const { id = '', text, kind } = args;
  const card = await correctOnTop(deps, request, id, {
    ...(text === undefined ? {} : { summary: text }),
    ...(kind === undefined ? {} : { kind }),
  });
  const structured = { action: 'updated' as const, ...shown(card) };
  if (structured.reason !== undefined) {
    return { text: `Updated ${id}, and ${heldBack(structured.reason)}`, structured };
  }
  const version = structured.version === null ? '' : ` (version ${structured.version})`;
  return { text: `Updated ${id}${version}.`, structured };
}

async function deleted(deps: ApiDependencies, request: Asked, id: string): Promise<Answer> {
  await deleteCard(deps, request, id);
  const nothing = { memory: null, kind: null, key: null, version: null };
  return {
    text: `Deleted ${id}: nobody recalls it any more.`,
    structured: { action: 'deleted', id, ...nothing, status: 'deleted' },
  };
}

function shown(card: WrittenCard | { id: string }): Omit<Answer['structured'], 'action'> {
  if (!('summary' in card)) {
    return { id: card.id, memory: null, kind: null, key: null, status: null, version: null };
  }
  const { id, summary, kind, key, status, version, reason } = card;
  return {
    ...{ id, memory: summary, kind, key, status, version },
    ...(reason === undefined ? {} : { reason }),
  };
}

export const validate = defineTool({
  name: 'validate',
  title: 'Say whether a memory held',
  description:
    'After you went by one of your own memories: success counts as a use and lets it come first another time, wrong takes it out of use at once.',
  rule: 'POST /v1/cards/:id/validation',
  changes: 'overwrites',
  input: validateInput,
  output: validateOutput,
  run: async (deps, request, { id, verdict }) => {
    const card = await validateCard(deps, request, id, { verdict });
    const { status, version } = 'status' in card ? card : { status: null, version: null };
    return { text: saidOf(id, verdict, status), structured: { id, verdict, status, version } };
  },
});

function saidOf(id: string, verdict: 'success' | 'wrong', status: string | null): string {
  if (verdict === 'wrong') return `${id} is rejected: nobody recalls it any more.`;
  return status === 'validated' ? `${id} is validated.` : `Noted that ${id} held.`;
}
