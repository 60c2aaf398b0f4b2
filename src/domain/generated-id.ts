/**
 * A UUID, or 16 to 64 digits of hex as traces, spans and hashes have them: made by a program for one time,
 * so that it names nothing that anybody would know again.
 */
export function isGenerated(id: string): boolean {
  return GENERATED.test(id);
}

const GENERATED =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,64})$/i;
