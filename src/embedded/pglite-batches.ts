import type { PGlite } from '@electric-sql/pglite';

/** Frontend messages after which the server answers ReadyForQuery: a batch ends with one. */
const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
/** A startup packet has no type byte; its first byte is the high one of its length, always 0. */
const STARTUP = 0;
const TERMINATE = 'X'.charCodeAt(0);

const SYNC_MESSAGE = Uint8Array.of(SYNC, 0, 0, 0, 4);

/**
 * The database as the socket server may see it: one client's batch is never cut by another's.
 *
 * The socket server queues single protocol messages, and keeps to one client only while a
 * transaction block is open. But Parse, Bind, Execute and Sync outside a block belong together too:
 * they share one session with one unnamed statement and one unnamed portal, and the Bind of a
 * second client between them would answer the first with the second's rows. So a batch that has
 * begun counts as a transaction here until its Sync.
 *
 * It also sees what the server does not: a statement that throws in WebAssembly, as opposed to one
 * that Postgres refuses, leaves the server's queue stopped for good. `crash` ends the process then.
 *
 * @param crash told the error; must not return
 */
export function wholeBatches(db: PGlite, crash: (error: unknown) => never): PGlite {
  let open = false;
  const overrides: Partial<PGlite> = {
    isInTransaction: () => open || db.isInTransaction(),
    execProtocolRawStream: async (message, options) => {
      const [type] = message;
      if (type === TERMINATE) return;
      if (type !== STARTUP) open = type !== SYNC && type !== QUERY;
      await db.execProtocolRawStream(message, options).catch(crash);
    },
    // Called only to roll back for a client that went away in the middle of something.
    exec: async (statements, options) => {
      if (open) {
        await db.runExclusive(() =>
          db.execProtocolRawStream(SYNC_MESSAGE, { onRawData: () => {} }).catch(crash),
        );
        open = false;
      }
      return db.isInTransaction() ? db.exec(statements, options) : [];
    },
  };
  return new Proxy(db, {
    get(target, property) {
      const own = overrides[property as keyof PGlite];
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
