import type { JsonObject } from '../contracts/event';
import type { RecallRequest } from '../contracts/recall';
import { mergePolicy } from '../domain/policy';
import { fitFilters, fitQuery } from '../intake/asked';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { settingsIn } from './card-content';
import { kept } from './listing';

/** What callers ask with passes what cards passed, here and nowhere later: nothing behind sees other words. */

/** How texts are redacted now; a statement of its own only where the directory has names to take out. */
async function redactionFor(deps: ApiDependencies, caller: Caller) {
  const { workspace } = caller.context;
  const settings = caller.redactsNames
    ? await deps.database.inWorkspace(workspace, settingsIn, 'once')
    : { policy: mergePolicy(caller.policyDocument), redactedNames: [] };
  return deps.pseudonyms.redaction(workspace, settings);
}

/** Free text to look for, as it would stand on a card. */
export async function askedText(
  deps: ApiDependencies,
  caller: Caller,
  text: string,
): Promise<string> {
  return fitQuery(text, await redactionFor(deps, caller));
}

/** Metadata to look for, as they would stand on a card; null where none are asked for. */
export async function askedMetadata(
  deps: ApiDependencies,
  caller: Caller,
  metadata: JsonObject | undefined,
): Promise<JsonObject | null> {
  if (metadata === undefined) return null;
  return fitFilters({ metadata }, await redactionFor(deps, caller)).metadata;
}

/**
 * A recall's request in the words of the cards: query and filters redacted, a subject that is an e-mail
 * or a phone under its pseudonym. Other filters are compared with labels, which hold neither.
 *
 * @throws Problem 422 where the subject holds a secret.
 */
export async function askedRecall(
  deps: ApiDependencies,
  caller: Caller,
  request: RecallRequest,
): Promise<RecallRequest> {
  const options = await redactionFor(deps, caller);
  const { about } = request;
  const asked = {
    ...request,
    query: fitQuery(request.query, options),
    ...(about === undefined ? {} : { about: askedId(deps, caller, about, '/about') }),
  };
  if (request.filters === undefined) return asked;
  const { subject, ...others } = fitFilters(request.filters, options);
  const named =
    subject === undefined ? {} : { subject: askedId(deps, caller, subject, '/filters/subject') };
  return { ...asked, filters: { ...others, ...named } };
}

/**
 * The id of a subject or an agent as the workspace knows it: its pseudonym where it is a contact.
 * @throws Problem 422 where it holds a secret.
 */
export function askedId(
  deps: ApiDependencies,
  caller: Caller,
  id: string,
  pointer: string,
): string {
  return kept(() => deps.pseudonyms.of(caller.context.workspace, id), pointer);
}
