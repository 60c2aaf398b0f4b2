import { startApi, type TestApi } from './support/api';
import { good, Talk } from './support/conversations';
import { writeCard } from './support/fleet';
import { email as address, githubToken } from './support/secret-strings';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const token = githubToken;
const password = 'hunter2-of-the-lake';
const email = address();

it('nothing secret of a message is kept, in JSON inside of a string neither', async () => {
  const talk = await new Talk(api, { id: 'secrets', agent: 'scout' }).start();
  const body = {
    user: { login: 'ann', password },
    headers: { authorization: `Bearer ${token()}` },
  };
  const nested = JSON.stringify({ result: JSON.stringify(body) });
  good(
    await talk.send([
      { role: 'user', content: `My token is ${token()}, keep it.` },
      { role: 'assistant', content: '' },
      { role: 'tool', content: nested, name: 'login', tool_call_id: 'call_1' },
      { role: 'assistant', content: `Logged in as ann; the answer began ${nested.slice(0, 12)}.` },
    ]),
  );
  const shown = [
    await talk.call('GET', `${talk.path}/messages`),
    await talk.call('GET', talk.contextPath()),
    await talk.call('GET', `${talk.path}/messages/3`),
  ];
  for (const { text } of shown) {
    expect(text).not.toContain(token());
    expect(text).not.toContain(password);
  }
  expect((await talk.message(1)).content).toBe('My token is [REDACTED_TOKEN], keep it.');
  expect((await talk.message(3)).content).toContain('[REDACTED_PASSWORD]');
  // Nor in what was made of it.
  const rows = await api.database.inWorkspace('default', (tx) =>
    tx.query('SELECT text, items, terms, near FROM conversation_details'),
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(password);
  expect(JSON.stringify(rows).toLowerCase()).not.toContain(token().toLowerCase());
});

it('a contact is the same token as on a card, and the name of who speaks is redacted too', async () => {
  const talk = await new Talk(api, { id: 'contacts', agent: 'scout' }).start();
  good(await talk.send([{ role: 'user', content: `Write to ${email}.`, name: email }]));
  const card = await writeCard(
    api,
    { summary: `Write to ${email}.`, kind: 'knowledge' },
    { headers: { 'cairn-agent': 'scout' } },
  );
  const message = await talk.message(1);
  expect(message.content).toBe(card.summary);
  expect(message.content).toMatch(/^Write to \[EMAIL_[A-Za-z0-9]+\]\.$/);
  expect(message.name).toMatch(/^\[EMAIL_[A-Za-z0-9]+\]$/);
});

it('a subject that is a contact becomes its pseudonym; a project or an id that is one is refused', async () => {
  const talk = new Talk(api, { id: 'about', agent: 'scout' });
  const { subject } = (await talk.start({ subject: email })) && (await talk.put()).body;
  expect(subject).toMatch(/^email-[a-z0-9]+$/);
  expect((await talk.put({ subject: email })).body.subject).toBe(subject);
  const listed = await talk.call('GET', `/v1/conversations?subject=${encodeURIComponent(email)}`);
  expect(listed.body.items).toHaveLength(1);
  expect((await talk.put({ project: email })).status).toBe(422);
  expect((await new Talk(api, { id: email, agent: 'scout' }).put()).status).toBe(422);
});

it('text is cleaned: no NUL, no half of a surrogate pair', async () => {
  const talk = await new Talk(api, { id: 'clean', agent: 'scout' }).start();
  await talk.say(['user', 'a\u0000b \ud800 e\u0301']);
  expect((await talk.message(1)).content).toBe('ab \ufffd \u00e9');
});
