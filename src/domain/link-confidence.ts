import type { Card } from '../contracts/card';
import type { CardKind, Sign } from '../contracts/names';
import type { LinkWeights } from '../contracts/policy';
import type { InputFields } from './input-fields';
import { alikeInputs, overlap, textSimilarity } from './similarity';

/** What linking looks at in a card; nothing else of it can reach an edge or its reason. */
export interface LinkCard {
  id: string;
  kind: CardKind;
  sign: Sign;
  service: string | null;
  operation: string | null;
  workflow: string | null;
  step: string | null;
  task_type: string | null;
  subject: string | null;
  key: string | null;
  topic: string | null;
  keywords: readonly string[];
  input_fields: InputFields;
  error_signature: string | null;
  /** RFC 3339. */
  valid_from: string;
  summary: string;
  scope: Card['scope'];
  /** Of a keyed card, the value as text; null takes the summary. */
  value: string | null;
}

/** A card found near a new one, with the cosine of both vectors or null where one is missing. */
export interface LinkCandidate extends LinkCard {
  similarity: number | null;
}

/**
 * Confidence of an edge, 0–1 (design §7): a weighted sum of what matches and of similarity, over the
 * weights of the features that can be compared. A label that one card lacks counts half against; a
 * feature that neither has leaves its share to the rest. Without a vector the inputs stand for
 * similarity, and where there are none either the texts do.
 */
export function linkConfidence(
  card: LinkCard,
  candidate: LinkCandidate,
  weights: LinkWeights,
): number {
  let total = 0;
  let sum = 0;
  const add = (weight: number, value: number | null) => {
    if (value === null || weight <= 0) return;
    total += weight;
    sum += weight * value;
  };
  const label = (weight: number, a: string | null, b: string | null) => {
    if (a === null && b === null) return;
    add(a === null || b === null ? weight / 2 : weight, a === b ? 1 : 0);
  };
  label(weights.service, card.service, candidate.service);
  label(weights.operation, card.operation, candidate.operation);
  label(weights.step, joined(card.workflow, card.step), joined(candidate.workflow, candidate.step));
  label(weights.task_type, card.task_type, candidate.task_type);
  label(weights.subject, card.subject, candidate.subject);
  const hasEntities = card.keywords.length > 0 && candidate.keywords.length > 0;
  add(
    weights.entities,
    hasEntities ? overlap(new Set(card.keywords), new Set(candidate.keywords)) : null,
  );
  if (isWarning(card) && isWarning(candidate)) {
    label(weights.error, card.error_signature, candidate.error_signature);
  }
  const hasInputs = hasFields(card) || hasFields(candidate);
  add(weights.inputs, hasInputs ? alikeInputs(card.input_fields, candidate.input_fields) : null);
  add(weights.similarity, similarityOf(card, candidate, hasInputs));
  return total === 0 ? 0 : Math.min(1, sum / total);
}

/** A card that says what not to do: a failure or a block. */
export function isWarning(card: Pick<LinkCard, 'kind' | 'sign'>): boolean {
  return card.sign === 'failed' || (card.kind === 'constraint' && card.sign !== 'worked');
}

export function hasFields(card: Pick<LinkCard, 'input_fields'>): boolean {
  return Object.keys(card.input_fields).length > 0;
}

function similarityOf(card: LinkCard, candidate: LinkCandidate, hasInputs: boolean): number | null {
  if (candidate.similarity !== null) return Math.min(1, Math.max(0, candidate.similarity));
  return hasInputs ? null : textSimilarity(card.summary, candidate.summary);
}

function joined(workflow: string | null, step: string | null): string | null {
  return workflow === null || step === null ? null : `${workflow}\u0000${step}`;
}
