import { describeConsole, nothing } from './support/console/console';
import { HOSTILE_TEXTS, plantHostile } from './support/console/seed/hostile';
import type { Visit } from './support/console/visit';
import { until } from './support/until';

jest.setTimeout(120_000);

const atTheDoor = ({ page }: Visit) => page.getByRole('button', { name: 'Sign in' }).waitFor();
const inside = ({ page }: Visit) => page.getByRole('navigation', { name: 'Pages' }).waitFor();

/** The one cookie of the console, as the browser keeps it. */
async function cookieOf(visit: Visit) {
  const cookies = await visit.context.cookies();
  return cookies.find(({ name }) => name === 'cairn_session');
}

describeConsole('the door of the console', nothing, (the) => {
  test('refuses a wrong key in words, and lets a right one in to where one was going', async () => {
    const visit = await the().visit({ key: null });
    visit.allow(/^answer: (GET|POST) \/v1\/session 401$/);
    await visit.goto('/agents?view=list');
    await atTheDoor(visit);
    expect(await visit.axe()).toEqual([]);
    await visit.signIn(`cairn_${'a'.repeat(52)}`);
    const alert = visit.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/key/i);
    expect(await cookieOf(visit)).toBeUndefined();

    await visit.signIn(the().workspace.ownerKey);
    await inside(visit);
    await visit.loaded();
    const { pathname, search } = new URL(visit.page.url());
    expect(pathname + search).toBe('/agents?view=list');
    expect(visit.problems()).toEqual([]);
  });

  test('keeps a session that no script can read, over a reload, until one signs out', async () => {
    const visit = await the().visit({ key: null });
    visit.allow(/^answer: GET \/v1\/session 401$/);
    await visit.goto('/cards');
    await visit.signIn(the().workspace.ownerKey);
    await inside(visit);
    expect(await cookieOf(visit)).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    const seen = 'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)';
    expect(await visit.page.evaluate(seen)).not.toMatch(/cairn_/);

    await visit.page.reload();
    await inside(visit);
    await visit.signOut();
    await atTheDoor(visit);
    expect(await cookieOf(visit)).toBeUndefined();
    await visit.page.reload();
    await atTheDoor(visit);
    expect(visit.problems()).toEqual([]);
  });

  test('is shown to whose key is revoked, and leads back to the same place', async () => {
    const { workspace } = the();
    await workspace.person('operator');
    const principal = { kind: 'person', id: 'operator' };
    const { id, key } = await workspace.done('POST', '/v1/keys', { principal });
    const visit = await the().open('/audit?actor=owner', { key });
    await inside(visit);
    visit.allow(/ 401$/, /^request: GET \/v1\/stream/);
    await workspace.done('DELETE', `/v1/keys/${id}`);
    // Whatever is asked next is refused; the stream of changes ends by itself.
    await atTheDoor(visit);

    await visit.signIn(await workspace.keyOf('person', 'operator'));
    await inside(visit);
    await visit.loaded();
    const { pathname, search } = new URL(visit.page.url());
    expect(pathname + search).toBe('/audit?actor=owner');
    expect(visit.problems()).toEqual([]);
  });

  test('is for people: an agent’s key is told what to use', async () => {
    const { workspace } = the();
    await workspace.done('PUT', '/v1/agents/scout', {});
    const visit = await the().visit({ key: null });
    visit.allow(/^answer: (GET|POST) \/v1\/session (401|403)$/);
    await visit.goto('/');
    await visit.signIn(await workspace.keyOf('agent', 'scout'));
    const alert = visit.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain("a person's key");
    expect(visit.problems()).toEqual([]);
  });
});

describeConsole('hostile text in cards', plantHostile, (the) => {
  /** Nothing of it ran, nothing of it became an element, and no page said that anything was stopped. */
  const isText = async (visit: Visit) => {
    const inDom = `({
      ran: window.hacked ?? null,
      elements: document.querySelectorAll('#root script, #root img[src=x], #root svg[onload], #root u, #root [onerror]').length,
      links: [...document.links].filter(({ href }) => /^(javascript|data|vbscript):/i.test(href)).length,
    })`;
    expect(await visit.page.evaluate(inDom)).toEqual({ ran: null, elements: 0, links: 0 });
    expect(visit.problems()).toEqual([]);
  };
  const shown = async (visit: Visit) =>
    (await visit.page.evaluate('document.body.innerText')) as string;

  test('stays text in the list of cards, and on each card', async () => {
    const { cards } = the().planted;
    const visit = await the().open('/cards');
    const list = await until('the list shows the cards', async () => {
      const text = await shown(visit);
      return text.includes('stands in this text') ? text : null;
    });
    for (const text of HOSTILE_TEXTS) expect(list).toContain(text.replace(/^\W*/, '').slice(-24));
    await isText(visit);
    for (const [n, id] of cards.entries()) {
      await visit.goto(`/cards/${id}`);
      expect(await shown(visit)).toContain(HOSTILE_TEXTS[n]);
      await isText(visit);
    }
  });

  test('stays text in the inbox, in the graph and in a recall', async () => {
    const visit = await the().open(`/inbox/${the().planted.contradiction}`);
    expect(await shown(visit)).toContain('<script>window.hacked = 6</script> at noon');
    await isText(visit);
    await visit.goto('/graph');
    await isText(visit);
    await visit.goto('/recall?q=stands%20in%20this%20text&asked=1');
    expect(await shown(visit)).toContain('stands in this text');
    await isText(visit);
  });
});
