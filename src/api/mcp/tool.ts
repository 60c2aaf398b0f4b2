import { z } from 'zod';
import { shortPointer } from '../../schemas/event';
import type { ApiDependencies } from '../app';
import type { Asked } from '../idempotency';
import { badRequest, type Problem } from '../problem';
import type { ROUTE_RULES } from '../roles';

/** A route whose rule a tool takes over: who may use the one may use the other. */
export type Rule = keyof typeof ROUTE_RULES;

/** What a tool says: a text that reads well, and the same for programs. */
export interface ToolAnswer<Output> {
  text: string;
  structured: Output;
}

/** What of a tool is left to those who may only read. */
export interface ReadingForm {
  rule: Rule;
  description: string;
  input: z.ZodObject;
}

interface ToolSpec<Input extends z.ZodType, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  rule: Rule;
  reading?: ReadingForm;
  /** Which rule a call goes by; `rule` where it is left out. */
  ruleOf?(args: z.output<Input>): Rule;
  input: Input;
  output: Output;
  /** Whether what was there before is still there afterwards. */
  changes: 'nothing' | 'adds' | 'overwrites';
  run(
    deps: ApiDependencies,
    request: Asked,
    args: z.output<Input>,
  ): Promise<ToolAnswer<z.output<Output>>>;
}

/** What `tools/list` shows. */
export interface ToolCard {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: Record<string, boolean>;
}

export type ObjectSchema = { type: 'object' } & Record<string, unknown>;

export interface Tool {
  name: string;
  rule: Rule;
  card: ToolCard;
  /** The shorter form, with its own rule. */
  reading: { rule: Rule; card: ToolCard } | null;
  /** @throws Problem 400 where the arguments are not the tool's. */
  call(args: unknown): {
    rule: Rule;
    run(deps: ApiDependencies, request: Asked): Promise<ToolAnswer<Record<string, unknown>>>;
  };
}

/** Compiles what a tool is, once, when the program starts. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodObject>(
  spec: ToolSpec<Input, Output>,
): Tool {
  const { name, title, description, rule, changes } = spec;
  const card: ToolCard = {
    name,
    title,
    description,
    inputSchema: schemaOf(spec.input, 'input'),
    outputSchema: schemaOf(spec.output, 'output'),
    annotations: {
      readOnlyHint: changes === 'nothing',
      ...(changes === 'nothing' ? {} : { destructiveHint: changes === 'overwrites' }),
      // Nothing of it goes out into the world: it reads and writes this memory.
      openWorldHint: false,
    },
  };
  const { reading } = spec;
  return {
    name,
    rule,
    card,
    reading:
      reading === undefined
        ? null
        : {
            rule: reading.rule,
            card: {
              ...card,
              description: reading.description,
              inputSchema: schemaOf(reading.input, 'input'),
              annotations: { readOnlyHint: true, openWorldHint: false },
            },
          },
    call: (given) => {
      const parsed = spec.input.safeParse(given);
      if (!parsed.success) {
        const known = Object.keys((card.inputSchema.properties ?? {}) as object);
        throw wrongArguments(name, known, parsed.error);
      }
      const args = parsed.data;
      return {
        rule: spec.ruleOf?.(args) ?? rule,
        run: (deps, request) => spec.run(deps, request, args),
      };
    },
  };
}

/** Names what is wrong and what would be right; a value that was given is never repeated. */
export function wrongArguments(name: string, known: readonly string[], error: z.ZodError): Problem {
  const [issue] = error.issues;
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...(issue?.path ?? []), ...keys.slice(0, 1)].map(String).join('.');
  const where = path === '' ? '' : `${shortPointer(path)}: `;
  if (keys.length === 0) return badRequest(`${where}${issue?.message ?? 'not valid'}`);
  const advice = (issue?.path.length ?? 0) === 0 ? `; ${name} takes ${known.join(', ')}` : '';
  return badRequest(`${where}no such argument${advice}`);
}

/**
 * JSON Schema that every client reads: no dialect and no patterns, whose Unicode classes some do not
 * know and which cost a model tokens. Cairn checks them all the same.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
    io,
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern;
      // Answers may grow; an argument that is not known is refused.
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  return plain as ObjectSchema;
}
