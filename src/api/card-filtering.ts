import type { CardStatus } from '../contracts/names';
import { durationMs } from '../domain/durations';
import { lexicalTerms } from '../domain/terms';
import type { cardFacetsQuery } from '../schemas/card';
import type { CardFilter } from '../store/card-filter';
import type { Tx } from '../store/database';
import type { ApiDependencies } from './app';
import { askedId } from './asking';
import type { Caller } from './authentication';
import { settingsIn } from './card-content';
import { mayListDeleted } from './card-rights';

/** The filters of a query of cards, in the words of the cards. */

/** From when on a deleted or expired card can still be brought back; null where the caller may not see any. */
export async function deletedSinceFor(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  status: readonly CardStatus[],
): Promise<Date | null> {
  const isAsked = status.includes('deleted') || status.includes('archived');
  if (!isAsked || !mayListDeleted(caller)) return null;
  const { policy } = await settingsIn(tx);
  return new Date(deps.clock().getTime() - durationMs(policy.retention.restore_window));
}

/** @param words `q`, redacted as the cards were */
export function filterOf(
  deps: ApiDependencies,
  caller: Caller,
  query: ReturnType<typeof cardFacetsQuery.parse>,
  words: string | null,
): Omit<CardFilter, 'deletedSince'> {
  const named = (id: string | undefined, pointer: string) =>
    id === undefined ? null : askedId(deps, caller, id, pointer);
  const writerOf = (writer: (typeof query)['writer']) =>
    writer === undefined ? null : { ...writer, id: askedId(deps, caller, writer.id, '/writer') };
  const scopeOf = (scope: (typeof query)['scope']) => {
    if (scope === undefined) return null;
    return scope.type === 'agent'
      ? { ...scope, id: askedId(deps, caller, scope.id, '/scope') }
      : scope;
  };
  return {
    kind: query.kind ?? null,
    sign: query.sign ?? null,
    status: query.status ?? null,
    agent: named(query.agent, '/agent'),
    team: query.team ?? null,
    subject: named(query.subject, '/subject'),
    service: query.service ?? null,
    operation: query.operation ?? null,
    terms: words === null ? null : [...lexicalTerms(words).keys()],
    since: query.since ?? null,
    until: query.until ?? null,
    flag: query.flag ?? null,
    event: query.event ?? null,
    writer: writerOf(query.writer),
    scope: scopeOf(query.scope),
  };
}
