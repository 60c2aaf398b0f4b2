import { Annotation, MemorySaver, type Runtime, Send, StateGraph } from '@langchain/langgraph';
import { CairnStore } from '../src/adapters/langgraph/store';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const State = Annotation.Root({
  guest: Annotation<string>(),
  said: Annotation<string[]>(),
  known: Annotation<string[]>({ reducer: (_old, found) => found, default: () => [] }),
});

/** Keeps what is said, each sentence by a node of its own at the same time, and then looks it up. */
function graphFor(agent: string) {
  const keep = async (one: { guest: string; sentence: string }, { store }: Runtime) => {
    await store?.put(['guests', one.guest], one.sentence, { text: one.sentence });
    return {};
  };
  const look = async ({ guest }: typeof State.State, { store }: Runtime) => {
    const found = await store?.search(['guests', guest], { limit: 100 });
    return { known: (found ?? []).map(({ value }) => value.text as string) };
  };
  return new StateGraph(State)
    .addNode('keep', keep as never)
    .addNode('look', look)
    .addConditionalEdges('__start__', ({ guest, said }) =>
      said.length === 0
        ? 'look'
        : said.map((sentence: string) => new Send('keep', { guest, sentence })),
    )
    .addEdge('keep', 'look')
    .addEdge('look', '__end__')
    .compile({
      store: new CairnStore({ client: api.owner, agent }),
      checkpointer: new MemorySaver(),
    });
}

const thread = (id: string) => ({ configurable: { thread_id: id } });

it('what one thread kept, node by node at the same time, another knows', async () => {
  const graph = graphFor('desk');
  const said = ['I love hiking', 'I am vegan', 'I need a desk', 'I sleep late', 'I sing'];
  const first = await graph.invoke({ guest: 'ann', said }, thread('one'));
  expect(first.known).toEqual([...said].sort());
  const later = await graph.invoke({ guest: 'ann', said: [] }, thread('two'));
  expect(later.known).toEqual([...said].sort());
  const other = await graph.invoke({ guest: 'ben', said: [] }, thread('three'));
  expect(other.known).toEqual([]);
});

it('an open graph sees what is shared with its agent at its next run, and not after it is taken back', async () => {
  const [day, night] = [graphFor('day'), graphFor('night')];
  await day.invoke({ guest: 'cat', said: ['I fear heights'] }, thread('day'));
  await api.owner.request('PUT', '/v1/agents/night', { body: {} });
  const known = async () => (await night.invoke({ guest: 'cat', said: [] }, thread('night'))).known;
  expect(await known()).toEqual([]);
  const { items } = await api.owner.with({ agent: 'day' }).notes.list();
  const grant = `/v1/cards/${items[0]?.card_id}/grants/night`;
  await api.owner.request('PUT', grant, { body: {} });
  expect(await known()).toEqual(['I fear heights']);
  await api.owner.request('DELETE', grant);
  expect(await known()).toEqual([]);
});
