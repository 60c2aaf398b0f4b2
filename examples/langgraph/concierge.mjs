// A hotel's concierge as a LangGraph graph that remembers its guests, with a rule where a model would be.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotation, StateGraph } from '@langchain/langgraph';
import { CairnClient } from 'cairn-memory';
import { CairnStore } from 'cairn-memory/langgraph';

// Where `npm start` runs, as the commands find it; elsewhere set CAIRN_URL and CAIRN_KEY.
const { CAIRN_DATA_DIR = '.cairn', CAIRN_URL, CAIRN_KEY } = process.env;
const fileOf = (name) => readFileSync(join(CAIRN_DATA_DIR, name), 'utf8');
const url = CAIRN_URL || JSON.parse(fileOf('runtime.json')).url;
const key = CAIRN_KEY || fileOf('owner.key').trim();

const State = Annotation.Root({ guest: Annotation(), said: Annotation(), answer: Annotation() });

/** What the guest says of themselves is kept in their namespace. */
async function remember({ guest, said }, { store }) {
  const fact = /^I (?:love|am|need) (\w+)/.exec(said);
  if (fact) await store.put(['guests', guest], fact[1], { text: said });
  return {};
}

/** What is known of the guest and fits their words is at hand. */
async function answer({ guest, said }, { store }) {
  const known = await store.search(['guests', guest], { query: said, limit: 3 });
  return { answer: known.map(({ value }) => value.text).join(' ') || 'nothing' };
}

const graph = new StateGraph(State)
  .addNode('remember', remember)
  .addNode('reply', answer)
  .addEdge('__start__', 'remember')
  .addEdge('remember', 'reply')
  .addEdge('reply', '__end__');

const day = graph.compile({ store: new CairnStore({ url, key, agent: 'day-desk' }) });
const night = graph.compile({ store: new CairnStore({ url, key, agent: 'night-desk' }) });
const ask = async (desk, said) => (await desk.invoke({ guest: 'ann', said })).answer;
const question = 'What am I allergic to?';

await ask(day, 'I am allergic to walnuts.');
console.log(`day desk: ${await ask(day, question)}`);
console.log(`night desk: ${await ask(night, question)}`);

// An item is a card: it can be shared with another agent, and taken back. An open store sees it at its next call.
const cairn = new CairnClient({ url, key, agent: 'day-desk' });
const { card_id } = await cairn.notes.get('langgraph/guests/ann/allergic');
await cairn.request('PUT', `/v1/cards/${card_id}/grants/night-desk`, { body: {} });
console.log(`night desk, shared: ${await ask(night, question)}`);
await cairn.request('DELETE', `/v1/cards/${card_id}/grants/night-desk`);
console.log(`night desk, taken back: ${await ask(night, question)}`);
