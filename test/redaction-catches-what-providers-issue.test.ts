import type { Json } from '../src/contracts/event';
import { redactJson } from '../src/redaction/json';
import { PLACES } from '../src/redaction/placed-secrets';
import { redactText } from '../src/redaction/scanner';
import * as secrets from './support/secret-strings';

const options = secrets.optionsOf();
let seed = 100;
const mixed = (length: number, alphabet: keyof typeof secrets.ALPHABETS = 'alnum') => {
  seed += 1;
  return secrets.mixed(length, alphabet, seed);
};
const join = (...parts: string[]) => parts.join('');
const hex = (length: number) => mixed(length, 'hex');
const base64 = (length: number) => mixed(length, 'base64');
const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
const password = () => `x${mixed(4)}9!${mixed(6)}`;

/** Formats of tokens as they stand alone in a sentence. */
const TOKENS: [string, string][] = [
  ['an Anthropic admin key', join('sk-ant-', 'admin01-', mixed(80))],
  ['an Anthropic OAuth token', join('sk-ant-', 'oat01-', mixed(80))],
  ['an OpenAI session', join('se', 'ss-', mixed(40))],
  ['an OpenRouter key', join('sk-', 'or-v1-', hex(64))],
  ['an NVIDIA key', join('nv', 'api-', mixed(64))],
  ['a LlamaCloud key', join('ll', 'x-', mixed(48))],
  ['a RunPod key', join('rp', 'a_', mixed(40, 'upper'))],
  ['a Weights and Biases key', join('wandb', '_v1_', mixed(70))],
  ['a Langfuse key', join('sk-', 'lf-', uuid())],
  ['a Cursor key', join('cr', 'sr_', hex(64))],
  ['a routable GitLab token', join('gl', 'pat-', mixed(27), '.01.', mixed(9, 'lower'))],
  ['an AWS session token', join('IQoJ', 'b3JpZ2luX2VjE', base64(200))],
  ['an Azure OpenAI key', join(mixed(52), 'JQQJ', '99', mixed(26))],
  ['an Azure cache key', join(mixed(33), 'Az', 'Ca', mixed(6), '=')],
  ['an Azure event hub key', join(mixed(33), '+A', 'Eh', mixed(6), '=')],
  ['a DigitalOcean spaces key', join('DO', '00', mixed(18, 'upper'))],
  ['a Mollie key', join('li', 've_', mixed(30))],
  ['a Mandrill key', join('m', 'd-', mixed(22))],
  ['a Packagist token', join('packagist', '_ort_', hex(40))],
  ['a Snyk token', join('snyk', '_uat.', hex(8), '.', mixed(40))],
  ['a Bitwarden machine token', join('0.', uuid(), '.', mixed(30), ':', base64(22), '==')],
  ['a MongoDB service account', join('mdb', '_sa_sk_', mixed(40))],
  ['an Aiven password', join('AVN', 'S_', mixed(16))],
  ['a Honeycomb key', join('hca', 'ik_01', mixed(56, 'lower'))],
  ['an Axiom token', join('xa', 'at-', uuid())],
  ['a Statsig secret', join('secret', '-', mixed(43))],
  ['a NetBird token', join('nb', 'p_', mixed(36))],
  ['a Firebase server key', join('AAAA', mixed(7), ':APA91b', mixed(134))],
  ['a private key without its frame', join('MIIEvQIB', 'ADANBgkq', base64(300))],
  ['an Apache password hash', join('$apr', '1$', mixed(8), '$', mixed(22))],
  ['a yescrypt hash', join('$y$', 'j9T$', mixed(22), '$', mixed(43))],
  ['a Django hash', join('pbkdf2_', 'sha256$600000$', mixed(22), '$', base64(43), '=')],
];

test.each(TOKENS)('%s', (_, token) => {
  const { value } = redactText(`the value ${token} came back`, options);
  expect(value).toMatch(/^the value \[REDACTED_(?:TOKEN|PRIVATE_KEY|PASSWORD)\] came back$/);
});

/** Secrets with the words around them that give them away. */
const NAMED: [string, string, (secret: string) => string][] = [
  ['an Azure signature', base64(43), (s) => `https://a.blob.core.windows.net/c?sv=1&sig=${s}%3D`],
  ['an app configuration', base64(43), (s) => `Endpoint=https://x.io;Id=a-b;Secret=${s}=`],
  ['a personal access token by name', mixed(52, 'lower'), (s) => `AZURE_DEVOPS_EXT_PAT=${s}`],
  ['an AWS key beside its id', base64(40), (s) => `${secrets.awsKeyId(5)},${s}`],
  ['a client made with its key', mixed(40), (s) => `co = cohere.Client("${s}")`],
  ['a scheme of its own', uuid(), (s) => `Authorization: GenieKey ${s}`],
  ['a header of a provider', `a1${mixed(20)}`, (s) => `x-honeycomb-team: ${s}`],
  ['a routing key', hex(32), (s) => `"routing_key": "${s}"`],
  ['a Telegram address', `110201543:AA${mixed(33)}`, (s) => `https://api.telegram.org/bot${s}/x`],
  ['a node endpoint', hex(32), (s) => `https://mainnet.infura.io/v3/${s}`],
  ['the second pair of a cookie', mixed(40), (s) => `Cookie: theme=a; some_session=${s}`],
  ['a cookie of ASP.NET', mixed(80), (s) => `.AspNetCore.Identity.Application=${s}`],
  ['a Wi-Fi password', password(), (s) => `network={ ssid="home" psk="${s}" }`],
  ['a password of letters in XML', 'ThVUPZveNmDi', (s) => `<password>${s}</password>`],
  ['a key on the next line', mixed(32), (s) => `api_key=\n${s}`],
  ['an Azure login', password(), (s) => `az login --service-principal -u a -p ${s} --tenant t`],
  ['a keystore', mixed(10), (s) => `keytool -list -keystore a.jks -storepass ${s}`],
  [
    'a key over lines of a program',
    secrets.privateKey().split('\n')[3] ?? '',
    () =>
      secrets
        .privateKey()
        .split('\n')
        .map((line) => `  "${line}\\n" +`)
        .join('\n'),
  ],
  [
    'a key escaped twice',
    secrets.privateKey().split('\n')[3] ?? '',
    () => JSON.stringify(JSON.stringify({ key: secrets.privateKey() })),
  ],
];

test.each(NAMED)('%s', (_, secret, write) => {
  expect(write(secret)).toContain(secret);
  expect(redactText(write(secret), options).value).not.toContain(secret);
});

/** One example a place, by its name in the table; `⟨` and `⟩` enclose the secret. */
const EXAMPLES: Record<string, string> = {
  'sudo reads it': `echo '⟨${password()}⟩' | sudo -S apt update`,
  'chpasswd reads it': `echo "bob:⟨${password()}⟩" | chpasswd`,
  'net user': `net user bob ⟨${password()}⟩ /add`,
  smbclient: `smbclient //host/share -U bob%⟨${password()}⟩`,
  htpasswd: `htpasswd -b .htpasswd bob ⟨${password()}⟩`,
  'login of a tool': `wandb login ⟨${hex(40)}⟩`,
  'curl sends a cookie': `curl -b "⟨session=${mixed(32)}⟩" https://x.example`,
  'cookies as an object': `cookies = {"theme": "dark", "li_at": "⟨AQ${mixed(100)}⟩"}`,
  'cookie file': `.example.com\tTRUE\t/\tTRUE\t1767225600\tsid\t⟨${mixed(40)}⟩`,
  '.pgpass': `db.example:5432:app:bob:⟨${mixed(12)}⟩`,
  'registry login': `{"auths":{"x":{"auth":"⟨${Buffer.from(`bob:${mixed(14)}`).toString('base64')}⟩"}}}`,
  'SQL user': `CREATE USER 'a'@'%' IDENTIFIED BY '⟨${password()}⟩';`,
  'FTP and mail dialog': `220 ready\nUSER bob\n331 Password required\nPASS ⟨${password()}⟩\n230 ok`,
  'Redis dialog': `> AUTH default ⟨a1${mixed(20)}⟩`,
  SNMP: `snmp-server community ⟨${mixed(10)}⟩ RO`,
  router: `enable secret 5 ⟨0${mixed(17, 'upper')}⟩`,
  'Wi-Fi code': `WIFI:T:WPA;S:home;P:⟨${mixed(12)}⟩;;`,
  PowerShell: `ConvertTo-SecureString "⟨${password()}⟩" -AsPlainText -Force`,
  'Terraform variable': `variable "db_password" {\n  default = "⟨a1${mixed(20)}⟩"\n}`,
  'a pair in prose': `Login credentials: bob / ⟨${password()}⟩`,
  'French sentence': `Le mot de passe est ⟨${password()}⟩.`,
  'German sentence': `Das Passwort lautet ⟨${password()}⟩.`,
  'a link that opens something': `https://app.example/auth/verify/⟨a1${mixed(32)}⟩`,
  'a parameter that opens something': `https://app.example/callback?code=⟨a1${mixed(22)}⟩&state=x`,
};

test.each(PLACES.map(({ place }) => place))('%s', (place) => {
  const [, before = '', secret = '', after = ''] =
    /^(.*)⟨(.+)⟩(.*)$/s.exec(EXAMPLES[place] ?? '') ?? [];
  expect(secret).not.toBe('');
  const { value } = redactText(`${before}${secret}${after}`, options);
  expect(value).not.toContain(secret);
  expect(value.startsWith(before.slice(0, 6))).toBe(true);
  expect(value.endsWith(after)).toBe(true);
});

const MEMBERS: [string, Json, string][] = [
  ['a cookie under its name', { cookies: { li_at: `AQ${mixed(40)}`, theme: 'dark' } }, 'AQ'],
  ['a registry login', { auth: Buffer.from('bob:hunter22').toString('base64') }, 'Ym9i'],
  [
    'telephones under a parent',
    { phones: { home: '5321234567', work: '4155552671' } },
    '5321234567',
  ],
  ['a telephone in a list', { phone_numbers: [{ type: 'x', number: '4155552671' }] }, '4155552671'],
  ['a contact', { contact: '5321234567' }, '5321234567'],
  ['an account of a bank', { 'Bank Account Number': '0789765432' }, '0789765432'],
];

test.each(MEMBERS)('%s', (_, value, secret) => {
  expect(JSON.stringify(value)).toContain(secret);
  expect(JSON.stringify(redactJson(value, options).value)).not.toContain(secret);
});
