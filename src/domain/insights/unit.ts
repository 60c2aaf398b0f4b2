import { DOLLARS_OF_ONE } from '../../contracts/dollar-rates';

/**
 * One spelling of a unit, so that numbers of the same unit are compared: a currency's code in capitals, also before
 * `/week` and the like, and `%` for percent. Any other unit stays as it was written, without blanks around it.
 */
export function unitOf(written: string): string {
  const unit = written.trim();
  if (/^(?:%|percent|per cent|pct|percentage)$/i.test(unit)) return '%';
  const [, code = '', rest = ''] = /^([a-z]{3})((?:\s*\/.*|\s+per\s.*)?)$/i.exec(unit) ?? [];
  return Object.hasOwn(DOLLARS_OF_ONE, code.toUpperCase()) ? code.toUpperCase() + rest : unit;
}
