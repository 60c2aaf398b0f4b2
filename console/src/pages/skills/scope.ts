import type { CardScope } from '../../../../src/contracts/card';

/** The scope of a skill as the console's addresses have it: `team:quay`. */
export function scopeText(scope: CardScope): string {
  return `${scope.type}:${scope.id}`;
}

/** The same as the API takes it; nothing where the address has none. */
export function scopeQuery(text: string | undefined): { scope_type?: string; scope_id?: string } {
  const at = text?.indexOf(':') ?? -1;
  if (text === undefined || at < 1) return {};
  return { scope_type: text.slice(0, at), scope_id: text.slice(at + 1) };
}
