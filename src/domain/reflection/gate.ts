import type { CardFlag, ScopeType } from '../../contracts/names';
import { SCOPE_TYPES } from '../../contracts/names';
import type { GateRule } from '../../contracts/policy';

export type GateDecision = GateRule['decision'];

/** What the rules look at in a candidate. */
export interface GateFacts {
  candidate: NonNullable<GateRule['candidate']>;
  /** 0–1. */
  confidence: number;
  /** Different events. */
  evidence: number;
  /** Different agents. */
  sources: number;
  /** Whether a piece of its evidence is one end of an undecided contradiction. */
  openConflict: boolean;
  /** Whether it holds what redaction would take out, or is about a subject. */
  sensitive: boolean;
  /** Where it would stand. */
  scope: ScopeType;
  flags: readonly CardFlag[];
}

export const GATE_REASONS = [
  'instruction_like',
  'sensitive',
  'open_conflict',
  'evidence',
  'sources',
  'confidence',
  'scope',
  'rule',
  'no_rule',
] as const;
export type GateReason = (typeof GATE_REASONS)[number];

export interface GateVerdict {
  decision: GateDecision;
  /** Of the policy's list, from 0; null where none matched and a person is asked. */
  rule: number | null;
  /** What the rule turned on. */
  reason: GateReason;
}

/**
 * The governance gate (design §6): the rules of the policy in their order, the first that matches decides, and where
 * none does a person is asked. All conditions of a rule must hold; a rule without any matches everything.
 */
export function decide(facts: GateFacts, rules: readonly GateRule[]): GateVerdict {
  const at = rules.findIndex((rule) => matches(rule, facts));
  const rule = rules[at];
  if (rule === undefined) return { decision: 'escalate', rule: null, reason: 'no_rule' };
  return { decision: rule.decision, rule: at, reason: reasonOf(rule) };
}

function matches(rule: GateRule, facts: GateFacts): boolean {
  const { candidate, min_confidence, min_evidence, max_evidence, min_sources } = rule;
  return (
    (candidate === undefined || candidate === facts.candidate) &&
    facts.confidence >= (min_confidence ?? 0) &&
    facts.evidence >= (min_evidence ?? 0) &&
    facts.evidence <= (max_evidence ?? Number.POSITIVE_INFINITY) &&
    facts.sources >= (min_sources ?? 0) &&
    (rule.open_conflict === undefined || rule.open_conflict === facts.openConflict) &&
    (rule.sensitive === undefined || rule.sensitive === facts.sensitive) &&
    (rule.scope === undefined || widthOf(facts.scope) >= widthOf(rule.scope)) &&
    (rule.flag === undefined || facts.flags.includes(rule.flag))
  );
}

function widthOf(scope: ScopeType): number {
  return SCOPE_TYPES.indexOf(scope);
}

function reasonOf(rule: GateRule): GateReason {
  if (rule.flag !== undefined) return rule.flag;
  if (rule.sensitive !== undefined) return 'sensitive';
  if (rule.open_conflict !== undefined) return 'open_conflict';
  if (rule.max_evidence !== undefined || rule.min_evidence !== undefined) return 'evidence';
  if (rule.min_sources !== undefined) return 'sources';
  if (rule.min_confidence !== undefined) return 'confidence';
  return rule.scope === undefined ? 'rule' : 'scope';
}
