// A hotel's concierge on the AI SDK that remembers its guests, with the SDK's own simulated model.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { CairnClient } from 'cairn-memory';
import { cairnMiddleware } from 'cairn-memory/ai-sdk';

// Where `npm start` runs, as the commands find it; elsewhere set CAIRN_URL and CAIRN_KEY.
const { CAIRN_DATA_DIR = '.cairn', CAIRN_URL, CAIRN_KEY } = process.env;
const fileOf = (name) => readFileSync(join(CAIRN_DATA_DIR, name), 'utf8');
const url = CAIRN_URL || JSON.parse(fileOf('runtime.json')).url;
const key = CAIRN_KEY || fileOf('owner.key').trim();

/** Stands for a model that uses what it is given: it knows about walnuts where its prompt does. */
const simulated = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const text = /walnuts/.test(JSON.stringify(prompt)) ? 'No walnuts for you.' : 'I do not know.';
    return {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: { inputTokens: {}, outputTokens: {} },
      warnings: [],
    };
  },
});

function desk(agent) {
  // An example may wait for a machine that has just started; 300 ms are the default.
  const recall = { deadlineMs: 10_000 };
  const memory = cairnMiddleware({ url, key, agent, subject: 'guest-ann', recall });
  const model = wrapLanguageModel({ model: simulated, middleware: memory });
  const ask = async (prompt) => (await generateText({ model, prompt })).text;
  return { ask, memory };
}

const [day, night] = [desk('day-desk-ai'), desk('night-desk-ai')];
const question = 'What am I allergic to?';

await day.ask('I am allergic to walnuts.');
await day.memory.flush();

// Its card is made in the background, by a workflow.
const cairn = new CairnClient({ url, key, agent: 'day-desk-ai' });
let cards = [];
while (cards.length === 0) {
  cards = (await cairn.cards.list({ agent: 'day-desk-ai', q: 'walnuts' })).items;
}

console.log(`day desk: ${await day.ask(question)}`);
console.log(`night desk: ${await night.ask(question)}`);

// A card can be shared with another agent, and taken back. Each call of an open model asks anew.
const grants = cards.map(({ id }) => `/v1/cards/${id}/grants/night-desk-ai`);
for (const grant of grants) await cairn.request('PUT', grant, { body: {} });
console.log(`night desk, shared: ${await night.ask(question)}`);
for (const grant of grants) await cairn.request('DELETE', grant);
console.log(`night desk, taken back: ${await night.ask(question)}`);
await Promise.all([day.memory.flush(), night.memory.flush()]);
