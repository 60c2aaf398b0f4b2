import {
  BaseStore,
  type GetOperation,
  InvalidNamespaceError,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import type { CairnClient } from '../../client/client';
import { type Connection, clientOf } from '../../client/connection';
import { inParallel } from './in-parallel';
import { keptText } from './item-path';
import { deleteItem, itemsUnder, readItem, writeItem } from './items';
import { MEMORY, readCard, searchCards } from './memory-view';
import { commonPrefix, matchingNamespaces } from './namespaces';
import { searchItems } from './searching';

export interface CairnStoreOptions extends Connection {
  /**
   * The fields of a value whose words find it, as a `put` may say for one item: paths such as `title`,
   * `chapters[*].text`; `$`, the default, takes all. False keeps all items out of what a query finds.
   * Cairn embeds by itself: there is no model to give.
   */
  index?: false | { fields?: string[] };
}

/**
 * LangGraph's long-term memory in Cairn. An item is a note of the agent: each `put` is a version of the
 * same card, so it has a history, is redacted, shared, audited and erased like all else that is
 * remembered. What other agents share with this one is read here too, from the very next call on, and
 * until the next call after it is taken back; nothing is cached.
 *
 * @example
 * const store = new CairnStore({ url: 'http://127.0.0.1:4747', key, agent: 'concierge' });
 * const graph = builder.compile({ store });
 * await store.put(['users', 'ann'], 'likes', { text: 'Ann loves hiking.' });
 * const [found] = await store.search(['users', 'ann'], { query: 'what does she do on weekends?' });
 */
export class CairnStore extends BaseStore {
  private readonly client: CairnClient;
  private readonly index: false | readonly string[];

  constructor(options: CairnStoreOptions) {
    super();
    this.client = clientOf(options);
    this.index = options.index === false ? false : (options.index?.fields ?? ['$']);
  }

  /**
   * What is read is read first; of several writes of one item the last counts, as LangGraph's own stores do.
   *
   * @throws {InvalidNamespaceError} a label that LangGraph does not know, or a write under `cairn`
   * @throws {CairnError} Cairn refused, or did not answer; other writes of the batch may have been made
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const writes = new Map<string, PutOperation>();
    for (const operation of operations) {
      if (!isPut(operation)) continue;
      requireWritable(operation);
      writes.set(JSON.stringify([operation.namespace, operation.key]), operation);
    }
    const results = await inParallel(operations, async (operation) =>
      isPut(operation) ? null : await this.read(operation),
    );
    await inParallel([...writes.values()], (operation) => this.write(operation));
    return results as OperationResults<Op>;
  }

  private async read(
    operation: Exclude<Operation, PutOperation>,
  ): Promise<Item | SearchItem[] | string[][] | null> {
    if (isSearch(operation)) {
      const [root] = operation.namespacePrefix;
      requireKnown(operation.namespacePrefix, true);
      return root === MEMORY
        ? await searchCards(this.client, operation)
        : await searchItems(this.client, operation);
    }
    if (isGet(operation)) {
      requireKnown(operation.namespace, false);
      if (operation.namespace[0] === MEMORY) return await readCard(this.client, operation);
      return (await readItem(this.client, operation))?.item ?? null;
    }
    return await this.namespaces(operation);
  }

  private async write({ namespace, key, value, index }: PutOperation): Promise<void> {
    const path = { namespace, key };
    if (value === null) await deleteItem(this.client, path);
    else await writeItem(this.client, path, value, index ?? this.index);
  }

  /** Every item is looked at: a list of namespaces is not cut off where a page ends. */
  private async namespaces(asked: ListNamespacesOperation): Promise<string[][]> {
    const matchConditions = asked.matchConditions?.map(({ matchType, path }) => ({
      matchType,
      path: path.map(keptText),
    }));
    const held: string[][] = [];
    const prefix = commonPrefix(matchConditions);
    for await (const { item } of itemsUnder(this.client, prefix, {}, Number.MAX_SAFE_INTEGER)) {
      held.push(item.namespace);
    }
    return matchingNamespaces(held, { ...asked, ...(matchConditions && { matchConditions }) });
  }
}

function isPut(operation: Operation): operation is PutOperation {
  return 'value' in operation;
}

function isSearch(operation: Operation): operation is SearchOperation {
  return 'namespacePrefix' in operation;
}

function isGet(operation: Operation): operation is GetOperation {
  return 'namespace' in operation && 'key' in operation;
}

function requireKnown(namespace: string[], mayBeEmpty: boolean): void {
  validateNamespace(namespace, { allowEmpty: mayBeEmpty, allowReservedRoot: true });
}

function requireWritable({ namespace, key }: PutOperation): void {
  requireKnown(namespace, false);
  if (typeof key !== 'string') throw new TypeError('the key of an item is a text');
  if (namespace[0] === MEMORY) {
    throw new InvalidNamespaceError(
      `What stands under "${MEMORY}" is read here: cards are written, shared and corrected through Cairn.`,
    );
  }
}
