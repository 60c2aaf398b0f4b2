import { ABSENT, type Choice, type Dimension } from '../dimensions';
import type { Fact } from './facts';
import { named, valuesIn } from './values';

/** What a text lays down about an input, in a service's message or in a lesson. */
export function demandsIn(dimension: Dimension, text: string): Fact[] {
  return clauses(text).flatMap((clause) => demand(dimension, withoutPast(clause)) ?? []);
}

const FORBIDS =
  /\b(?:avoid|never|do not|don't|not accepted|not allowed|is closed|are closed|out of service|stay away)\b/i;
const DEMANDS =
  /\b(?:must|required?|requires|needs?|uses?|always|only|set|expected|expects|accepts?|accepted|should|choose|written as|has to|keep|give|pass|add|send)\b/i;
const LIMIT =
  /(?:\blimit(?:ed)?\b[^;\d]{0,60}?|\bat most|\bmaximum(?: of| is)?|\bno more than|\bup to|\bmax\.?|≤|<=|\bat or (?:below|under)|\bor (?:fewer|less) than|\babove|\bover(?: the limit of)?|\bcap(?:ped)?(?: is| of| at)?|\bkeep \w+ (?:at|to|under|below))\s*:?\s*(\d+)\b/i;

function demand(dimension: Dimension, clause: string): Fact | null {
  const { param } = dimension;
  switch (dimension.kind) {
    case 'batch': {
      const limit = LIMIT.exec(clause)?.[1];
      return limit === undefined ? null : { param, says: 'must', choices: [limit] };
    }
    case 'slot': {
      const slots = valuesIn(dimension, clause);
      if (slots.length === 0) return null;
      const closed = /maintenance|unavailable|not available|closed/i.test(clause);
      return closed || FORBIDS.test(clause) ? { param, says: 'out', choices: slots } : null;
    }
    case 'mode':
      return /\bmodes?\b/i.test(clause) ? said(param, valuesIn(dimension, clause), clause) : null;
    case 'format': {
      const names = dimension.family.formats
        .map(({ name }) => name)
        .filter((name) => withoutNots(clause).toLowerCase().includes(name.toLowerCase()));
      return said(param, names, clause) ?? matching(param, names, clause);
    }
    case 'field': {
      const pattern = new RegExp(`${named(param)}(.{0,60})`, 'i');
      const after = pattern.exec(clause)?.[1];
      if (after === undefined) return null;
      const values = dimension.values.filter((value) =>
        new RegExp(`(?<![\\w-])${value}(?![\\w-])`, 'i').test(withoutNots(after)),
      );
      if (values.length > 0) return said(param, values.slice(0, 1), clause);
      const wanted = /\b(?:required?|missing|requires|needs?|must)\b/i.test(clause);
      return wanted ? { param, says: 'out', choices: [ABSENT] } : null;
    }
    default:
      return dimension satisfies never;
  }
}

function said(param: string, choices: readonly Choice[], clause: string): Fact | null {
  if (choices.length === 0) return null;
  if (FORBIDS.test(clause)) return { param, says: 'out', choices };
  return DEMANDS.test(clause) ? { param, says: 'must', choices } : null;
}

/** `does not match the format X` names what is wanted. */
function matching(param: string, names: readonly Choice[], clause: string): Fact | null {
  return names.length > 0 && /not match|format/i.test(clause)
    ? { param, says: 'must', choices: names }
    : null;
}

/** `must be optin, not legal`: what is not wanted is no demand. */
function withoutNots(text: string): string {
  return text.replace(/\b(?:not|instead of|rather than) [\w./-]+/gi, ' ');
}

function clauses(text: string): string[] {
  return text.split(/(?<=[.;!?])\s+|;\s*/).filter((clause) => clause.trim() !== '');
}

/** What a lesson says was so once is no demand of today: `(before: 100)`, `no longer 100`. */
function withoutPast(text: string): string {
  return text
    .replace(/\((?:was|before|formerly|previously|no longer|until|earlier)\b[^)]*\)/gi, ' ')
    .replace(/,? ?\b(?:no longer|formerly|previously|instead of|rather than) [^,.;]*/gi, ' ');
}
