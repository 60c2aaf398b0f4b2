import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { ApiDependencies } from '../app';
import type { Problem } from '../problem';
import { problemOf } from '../problem-of';
import { framesOf } from '../stack-frames';

/** The protocol's code for a resource that is not there, which the SDK has no name for. */
const RESOURCE_NOT_FOUND = -32002;

/** What was thrown as a problem; what is our own fault is logged, without its words. */
export function loggedProblem(deps: ApiDependencies, asked: string, error: unknown): Problem {
  const problem = problemOf(error as Error);
  if (problem.status >= 500) {
    const { name: err } = error as Error;
    deps.log.error({ err, asked, trace: framesOf(error as Error) }, 'a call over MCP failed');
  }
  return problem;
}

/** What went wrong and what to do about it, with the code that the routes answer. */
export function sentenceOf({ detail, status, code }: Problem, advice = ''): string {
  return `${detail}${advice} [${status} ${code}]`;
}

/** Runs what has no answer of its own for a mistake: there it is an error of the protocol. */
export async function answered<T>(
  deps: ApiDependencies,
  method: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = loggedProblem(deps, method, error);
    throw new McpError(codeOf(method, problem.status), sentenceOf(problem));
  }
}

function codeOf(method: string, status: number): number {
  if (status >= 500) return ErrorCode.InternalError;
  const isMissing = status === 404 && method === 'resources/read';
  return isMissing ? RESOURCE_NOT_FOUND : ErrorCode.InvalidParams;
}
