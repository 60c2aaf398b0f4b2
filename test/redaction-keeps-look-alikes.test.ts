import type { Json } from '../src/contracts/event';
import { classifyIdentifier } from '../src/redaction/identifier';
import { redactJson } from '../src/redaction/json';
import { redactText } from '../src/redaction/scanner';
import * as secrets from './support/secret-strings';

const options = secrets.optionsOf();
const variable = (name: string) => ['$', `{${name}}`].join('');
const hex = (length: number) => secrets.mixed(length, 'hex');

const KEPT = [
  `commit ${hex(40)} on main`,
  `sha256:${hex(64)}`,
  `"integrity": "sha512-${secrets.mixed(86, 'base64')}=="`,
  'run 6cb24f2a-74ed-4a8e-9db0-8a0e3dfebaef ended',
  'uses: actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11 # v4.1.1',
  'matplotlib==3.10.1, nvidia-curand-cu12==10.3.5.147, Chrome/120.0.6099.129',
  'upgraded from version 4.18.0.305 to 4.18.0.348',
  '2026-05-31T17:06:18.525260+02:00 and 20260531-170618-525260',
  'at 10:30:45, epoch 1738397940, 1722983020785 ms',
  'order #W7209932, item 4572024853, payment credit_card_4567510, gift_card_4081344',
  'reservation XZEMHV, flight HAT175, seat 12A, $1,284.50, 4 x 19.99',
  'user mia_li_3668, daiki_sanchez_1479',
  'http://127.0.0.1:4318/v1/traces on 192.168.1.20, 10.0.0.7/8, fe80::1, ::1, 255.255.255.0',
  'git@github.com:acme/tool.git, icon@2x.png, react@18.2.0, @types/node@20.1.0',
  `password: ${variable('DB_PASSWORD')}, token = <your token>, api_key: ****, secret: null, password=%s`,
  'const token = await getToken(user.id); password = config.password',
  'max_tokens: 4096, total_tokens=1200, token_count 55, next_page_token: abc',
  'Please reset your password. The password was changed. Enter your password below.',
  'The bearer of this letter met a basic requirement; authorization was denied.',
  'primary_key: customer_id, cache_key = user_profile, idempotency_key: 6cb24f2a',
  'std::string a::b; Foo::bar(dead::beef)',
  'gpt-4o-mini-2024-07-18 and claude-sonnet-4-20250514',
  'ZIP 92115-1234, size 100 x 200, lines 120-480, 12-04-2024, 555-1234',
  'risk-based task-oriented desk-sharing ask-me-anything-about-2024-numbers',
  'ssh-keygen, secret santa, token ring, key 12345',
  'https://webhook.site/a8eedfd6-9d8a-44e0-b0fc-cc7d517db5dc?q=1',
  'POST /v1/webhooks/6cb24f2a-74ed-4a8e-9db0-8a0e3dfebaef, GET /hooks/use-session-storage-2024',
  `call_${secrets.mixed(24)} toolu_01${secrets.mixed(22)} chatcmpl-${secrets.mixed(29)}`,
  `cus_${secrets.mixed(14)} evt_1${secrets.mixed(23)} user_2${secrets.mixed(26)}`,
  `cache_key_${hex(32)} idempotency_key_${hex(32)}`,
  'PASS src/a1b2.test.js (5.1 s), AUTH failed for bob, routing_key: orders.created.v2',
  'secret-my-long-name-with-2024-words-and-more-of-it, m0-release-candidate-2024-05-01-build-7',
  '/callback?code=INVALID_GRANT_ERROR_2024, ?code=404&key=name',
  'Login: admin / admin, passwort ist falsch, mot de passe oublié 2 fois',
];

test.each(KEPT)('kept: %s', (text) => {
  expect(redactText(text, options)).toEqual({ value: text, counts: {} });
});

const KEPT_JSON: Json[] = [
  { order_id: '#W7209932', item_ids: ['4572024853', '9523456873'], total: 1284.5 },
  { usage: { prompt_tokens: 1200, max_tokens: 4096 }, pass: 12, passed: true },
  { password: null, token: '', secret: false, api_key: variable('API_KEY') },
  { created: 1738397940, updated_ms: 1722983020785, price: 199.99, ratio: 0.123456789012345 },
  { name: 'token', value: 'hello world' },
  { key: 'order', value: '4572024853' },
  { authorization: 'denied', cookie: 'chocolate' },
];

test.each(KEPT_JSON.map((value) => [JSON.stringify(value), value] as const))(
  'kept: %s',
  (_, value) => {
    expect(redactJson(value, options)).toEqual({ value, counts: {} });
  },
);

const IDENTIFIERS = [
  'evt_6ccbbfd43e8daed1',
  '6cb24f2a-74ed-4a8e-9db0-8a0e3dfebaef',
  'airline:43',
  'slack:user_task_1',
  '#W7209932',
  'XZEMHV',
  'gpt-4o-mini-2024-07-18',
  'slack-gpt-4o-mini-2024-07-18',
  '20260531-170618-525260',
  'mia_li_3668',
  'reset_password',
  'get-api-token',
  'customer/4572024853',
  'https://shop.example/orders/17',
  '2026-03-02T08:28:25.832Z',
  '1722983020785',
  'payments.refund.v2',
  '日本語エージェント',
];

test.each(IDENTIFIERS)('an ordinary identifier: %s', (id) => {
  expect(classifyIdentifier(id, options)).toMatchObject({ secret: false, contact: null });
});

test('contacts and secrets in identifiers are told apart, whatever the policy keeps', () => {
  const kept = secrets.optionsOf({ keepContactData: true });
  expect(classifyIdentifier(secrets.email(), kept).contact).toBe('email');
  expect(classifyIdentifier(`user:${secrets.email()}`, kept).contact).toBe('email');
  expect(classifyIdentifier(secrets.phone(), kept).contact).toBe('phone');
  for (const secret of [
    secrets.githubToken(),
    secrets.cardNumber(),
    secrets.iban(),
    secrets.jsonWebToken(),
  ]) {
    expect(classifyIdentifier(secret, options)).toMatchObject({ secret: true, contact: null });
  }
});
