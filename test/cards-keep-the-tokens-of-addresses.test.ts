import fc from 'fast-check';
import { contactTokens, withContactTokens } from '../src/domain/distill/contact-tokens';
import { distill } from '../src/domain/distill/distill';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { redactText } from '../src/redaction/scanner';
import { recheckDraft } from '../src/schemas/model-output';
import { distilled, failedCall } from './support/distilling';
import { cardAnswer, type FakeProvider, startFakeProvider } from './support/fake-provider';
import { email, externalAddress, optionsOf, phone } from './support/secret-strings';

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const redact = (text: string) => redactText(text, optionsOf()).value;
const token = (address: string) => redact(address).slice(1, -1).toLowerCase();

const event = failedCall({
  text: redact(`Ask ${email()}, not ${phone()}.`),
  error: redact(`Error: ${externalAddress()} refused the channel`),
});
const TOKENS = [email(), phone(), externalAddress()].map(token);

it('the stand-in names them among its keywords, whatever its words say', () => {
  const { keywords, summary } = distill(event, []);
  expect(keywords).toEqual(expect.arrayContaining(TOKENS));
  expect(summary).not.toMatch(/EMAIL_|PHONE_|EXT_IP_/);
});

it('a model need not: they are kept beside the keywords that it chose, also when it is checked again', async () => {
  const words = Array.from({ length: 12 }, (_, number) => `word${number}`);
  provider.script({ says: cardAnswer({ keywords: words }) });
  const distiller = createOpenAiDistiller({
    apiKey: 'none',
    baseUrl: provider.baseUrl,
    model: 'small',
    clock: () => new Date(),
  });
  const draft = await distilled(distiller, event);
  expect(draft.distilled_by).toBe('model');
  expect(draft.keywords).toEqual([...words.slice(0, 9), ...TOKENS]);
  const checked = recheckDraft(draft, distill(event, []), redact);
  expect(checked.keywords).toEqual(draft.keywords);
});

it('of many there are three, those of people first, and nothing that only looks like one', () => {
  const kind = fc.constantFrom('EMAIL', 'PHONE', 'EXT_IP');
  const tag = fc.stringMatching(/^[a-z2-7]{16}$/);
  const part = fc.oneof(
    fc.tuple(kind, tag).map(([what, which]) => `[${what}_${which}]`),
    fc.string(),
    fc.constant('[EMAIL_IGNOREALLPREVIOUSINSTRUCTIONS]'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join(' ');
      const tokens = contactTokens(failedCall({ error: text }));
      expect(tokens.length).toBeLessThanOrEqual(3);
      expect(new Set(tokens).size).toBe(tokens.length);
      for (const one of tokens) expect(text.toLowerCase()).toContain(`[${one}]`);
      const people = tokens.map((one) => !one.startsWith('ext_ip_'));
      expect([...people].sort((a, b) => Number(b) - Number(a))).toEqual(people);
      const chosen = parts.slice(0, 12);
      const kept = withContactTokens(chosen, tokens, 12);
      expect(kept.length).toBeLessThanOrEqual(12);
      expect(kept).toEqual(expect.arrayContaining(tokens));
    }),
  );
});
