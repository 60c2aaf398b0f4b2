import type { CardDraft } from '../contracts/card';
import type { Sign } from '../contracts/names';
import { distill } from '../domain/distill/distill';
import { plainAccount } from '../domain/erasure/account';
import type { ChangedColumns } from './card-edits';
import type { Tx } from './database';
import { readCapture } from './filing-admission';

interface OwnCard {
  id: string;
  event_id: string;
  sign: Sign;
  service: string | null;
  operation: string | null;
  erased: readonly string[];
}

/**
 * A card of work in words of its own event alone, without what it quoted of a card that goes; by its labels where the
 * event's payload is kept no more.
 */
export async function redistilled(tx: Tx, card: OwnCard): Promise<ChangedColumns> {
  const found = await readCapture(tx, card.event_id);
  const labels = await labelsOf(tx, card.id);
  if (found === null || found.event === null) {
    return { ...labels, summary: plainAccount(card), topic: null, keywords: [], input_fields: {} };
  }
  const own = found.ownWarnings.filter(({ card_id }) => !card.erased.includes(card_id));
  return { ...labels, ...wordsOf(distill(found.event, own)) };
}

function wordsOf(draft: CardDraft): ChangedColumns {
  const { summary, topic, keywords, error_signature, error_family, input_fields } = draft;
  return { summary, topic, keywords, error_signature, error_family, input_fields };
}

/** What its event says in fields of its own stays as it is. */
async function labelsOf(tx: Tx, id: string): Promise<ChangedColumns> {
  return await tx.one<ChangedColumns>(
    `SELECT c.service, c.operation, c.task_type, c.workflow, c.step FROM cards c
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, id],
  );
}
