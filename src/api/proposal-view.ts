import type {
  ConfigFixChange,
  Proposal,
  ProposalChange,
  ProposalDecision,
  ProposalDetail,
} from '../contracts/proposal';
import { logAccess } from '../store/access-log';
import { waysAmong } from '../store/cards';
import { briefCards } from '../store/cards-brief';
import type { Tx } from '../store/database';
import {
  decisionsOf,
  type KeptProposal,
  type ProposalReader,
  readProposal,
} from '../store/proposals-read';
import { type ReaderArguments, readerArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { hatsOf } from './roles';

/**
 * Proposals as their readers may see them. People of the staff know of all, an agent and a runtime of those
 * that they proposed themselves, and a runtime of every configuration fix, which it is to apply. Evidence
 * are the cards that the reader sees now. Summary and change are text made from cards and names of cards:
 * people who look with their own eyes get them while a card of the evidence is there to be seen, everybody
 * else where they see all of it; so do they get the reasons that people gave, which speak of the cards. What
 * is left, the title, is made of labels.
 */

export function proposalReaderOf(caller: Caller): ProposalReader {
  const { principal } = caller.context;
  if (principal.kind === 'person') return { proposer: null, fixesToo: true };
  return { proposer: principal, fixesToo: hatsOf(caller).includes('runtime') };
}

/** A runtime that names no agent sees no cards, and knows of proposals all the same. */
export function evidenceReaderOf(deps: ApiDependencies, caller: Caller): ReaderArguments {
  return readerArguments(caller.context, caller.memberSubject, deps.clock());
}

/** One proposal with the cards behind it, or null. */
export async function proposalFor(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  id: string,
): Promise<ProposalDetail | null> {
  const kept = await readProposal(tx, proposalReaderOf(caller), id);
  if (kept === null) return null;
  const reader = evidenceReaderOf(deps, caller);
  const seen = await briefCards(tx, reader, kept.evidence);
  await logAccess(tx, caller.context, {
    surface: 'proposals.get',
    at: reader[5],
    cards: [...seen.values()].map(({ card, vias }) => ({ id: card.id, vias })),
  });
  const decisions = (await decisionsOf(tx, [id])).get(id) ?? [];
  const shown = shownTo(kept, reader, (card) => seen.has(card), decisions);
  const cards = shown.evidence.flatMap((card) => seen.get(card)?.card ?? []);
  return { ...shown, cards };
}

/** Those of a page, in its order. */
export async function proposalsFor(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  kept: readonly KeptProposal[],
): Promise<Proposal[]> {
  const reader = evidenceReaderOf(deps, caller);
  const named = [...new Set(kept.flatMap(({ evidence }) => evidence))];
  const ways = await waysAmong(tx, reader, named);
  await logAccess(tx, caller.context, {
    surface: 'proposals.list',
    at: reader[5],
    cards: [...ways].map(([id, vias]) => ({ id, vias })),
  });
  const decisions = await decisionsOf(
    tx,
    kept.map(({ id }) => id),
  );
  return kept.map((one) =>
    shownTo(one, reader, (card) => ways.has(card), decisions.get(one.id) ?? []),
  );
}

function shownTo(
  kept: KeptProposal,
  reader: ReaderArguments,
  sees: (card: string) => boolean,
  decisions: ProposalDecision[],
): Proposal {
  const { asked_because, ...proposal } = kept;
  const evidence = kept.evidence.filter(sees);
  const seesEverything = reader[3];
  const needed = seesEverything ? Math.min(1, kept.evidence.length) : kept.evidence.length;
  if (evidence.length < needed) {
    return {
      ...proposal,
      title: labelled(kept),
      summary: null,
      evidence,
      change: withoutCards(kept),
      decisions: decisions.map((one) => ({ ...one, reason: null })),
    };
  }
  return { ...proposal, evidence, change: saidOf(kept.change, asked_because), decisions };
}

/** A model may have put words of the cards into the title too. */
function labelled({ title, type, drafted_by, change }: KeptProposal): string {
  if (drafted_by !== 'model' || type !== 'config_fix') return title;
  const { workflow, step } = change as ConfigFixChange;
  return `A configuration fix for ${step} of ${workflow}`;
}

/** Where a fix belongs, and the figures of its step; no words, and no ids of cards. */
function withoutCards({ type, change }: KeptProposal): ProposalChange {
  if (type !== 'config_fix') return {};
  const { fix: _fix, ...rest } = change as ConfigFixChange;
  return rest;
}

/** Reasons are kept apart, where they can be erased. */
function saidOf(change: ProposalChange, reason: string | null): ProposalChange {
  if (!('reason_id' in change)) return change;
  const { reason_id: _id, ...rest } = change as Record<string, unknown>;
  return { ...rest, reason };
}
