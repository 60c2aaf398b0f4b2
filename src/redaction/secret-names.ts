/**
 * What the name of a field says about its value. One function serves `api_key = …` in text, the keys
 * of JSON, environment variables, headers and YAML, so that they cannot disagree.
 */

const wordSet = (list: string) => new Set(list.trim().split(/\s+/));

/** Providers whose keys have no shape of their own; `meraki = …` is then all there is to go by. */
const PROVIDERS = wordSet(`
  adafruit adobe airtable algolia alibaba asana beamer bitbucket bittrex codecov cohere coinbase
  confluent contentful databricks datadog dropbox droneci drone dynatrace etsy facebook fastly
  finicity finnhub flickr freshbooks gitter gocardless heroku hubspot infracost intercom jfrog
  kraken kucoin launchdarkly linkedin lob looker mailchimp mailgun mapbox mattermost maxmind
  meraki messagebird mistral netlify newrelic nytimes okta openweathermap pagerduty plaid
  rapidapi sendbird sendgrid sentry shippo snyk softlayer sonar sonarqube sourcegraph
  squarespace sumo sumologic travis trello twilio twitch twitter typeform yandex zendesk
  deepgram wandb cloudant honeycomb opsgenie statsig axiom runpod nvidia groq deepseek openai
  anthropic gemini openrouter tavily serper assemblyai voyage pinecone upstash linode vultr hetzner
`);

export const PROVIDER_TRIGGER = [...PROVIDERS].join('|');

/**
 * `password` and `secret` names hide any value; `token` names hide values that look generated;
 * `auth` names are headers whose value may carry a scheme; `provider` names hide a generated value of
 * 20 characters and more without separators.
 */
export type SecretName = 'password' | 'secret' | 'token' | 'auth' | 'provider';

const PASSWORD_WORDS = wordSet(`
  password passwords passwd passphrase passcode pwd pass passwort kennwort contrasena contraseña
  senha motdepasse wachtwoord hasło haslo пароль 密码 密碼 パスワード 비밀번호 pgpassword mysqlpassword
  userpass dbpass dbpassword dbpwd sshpass pword psw pswd pw psk
`);
const SECRET_WORDS = wordSet(`
  secret secrets secrete apikey apikeys apisecret secretkey accesskey privatekey authkey appkey
  appsecret clientsecret encryptionkey signingkey sharedkey masterkey licensekey credential
  credentials cred creds mnemonic
`);
const TOKEN_WORDS = wordSet(`
  token accesstoken authtoken refreshtoken idtoken bearer jwt sessionid sessid jsessionid
  phpsessid csrftoken xsrf sig signature otp accountkey authtok oauth pat
`);
const AUTH_WORDS = new Set(['authorization', 'authorisation', 'cookie', 'cookies']);

/** Words that make `… key` a secret; a key alone, or a primary, cache or idempotency key, is none. */
const KEY_OWNERS = wordSet(`
  api access secret private auth encryption signing shared master license licence account
  storage subscription app application admin service client consumer deploy ssh webhook function
  host root vault sas rest write read integration developer dev server project insert ingest
  user personal
`);

/** A token so named is a credential whatever it looks like; others may be a page's or a lexer's. */
const TOKEN_OWNERS = new Set([
  'access',
  'auth',
  'api',
  'refresh',
  'bearer',
  'secret',
  'session',
  'personal',
  'deploy',
]);

/** After the secret word these say that the value is about a secret, not one. */
const ABOUT = wordSet(`
  name names ref reference id ids identifier path file filename files url uri urls arn manager
  version type types kind count counts counter length len limit limits size usage used policy
  policies reset hint expired expires expiry expiration expire ttl age at in field fields input
  label placeholder error errors message required requirement requirements strength valid
  invalid is has index idx num number format prefix suffix provider endpoint host store storage
  class engine algorithm alg header param parameter parameters prompt updated changed status
  state rotation budget per cost price rate ratio max min map list set estimate estimates
  estimator ratio bucket buckets scope scopes info env var variable encode decode split strip
  replace startswith endswith join find match test get includes equals lower upper hexdigest
  digest append push budget_tokens cap window
`);

/** Before the secret word these say the same. */
const NOT_SECRET = wordSet(`
  max min num total count prompt completion input output cached reasoning n per stop eos bos pad
  unk mask special sep cls no without forgot reset change update public pub publishable primary
  foreign partition sort idempotency cache unique composite task continuation pagination page
  cursor next prev previous last first start end resume sync image lock row object hot
`);

/** Keys that find a thing rather than open one. */
const LOOKUP_KEYS = wordSet(`
  primary foreign cache partition sort idempotency idempotent dedupe unique composite row hash
  object lookup public pub group dict json map index order i l message hot lock image file s
  content store session translation locale label sort range shard state event data react
  item node config query param header property attribute field column metric registry memo
  search business natural surrogate entity subject dictionary publishable site answer the a this
  that my your
`);

const ID_NAMES = new Set([
  'aws account id',
  'azure client id',
  'azure tenant id',
  'ad tenant id',
  'ad client id',
  'sumo access id',
  'aws access key id',
  'access key id',
  'plaid client id',
  'sumologic accessid',
  'sumo accessid',
]);

const DIGESTS = wordSet(`
  sha commit hash digest checksum revision rev ref image tag build version url uri host id ids
  md5 integrity etag user name path file
`);

/** `dbPassword`, `DB_PASSWORD`, `X-Api-Key` → words in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .slice(-96)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

function kindAt(words: readonly string[], index: number): SecretName | null {
  const word = words[index] ?? '';
  if (AUTH_WORDS.has(word)) return 'auth';
  if (PASSWORD_WORDS.has(word)) return 'password';
  if (SECRET_WORDS.has(word)) return 'secret';
  if (/^(?:token|key)$/.test(word) && TOKEN_OWNERS.has(words[index - 1] ?? '')) return 'secret';
  if (/^(?:access|auth|refresh)token$/.test(word)) return 'secret';
  if (TOKEN_WORDS.has(word)) return 'token';
  if (word === 'key' || word === 'keys') {
    const owner = words[index - 1] ?? '';
    if (KEY_OWNERS.has(owner)) return 'secret';
  }
  if (
    word.length > 8 &&
    /(?:password|passwd|apikey|secretkey|accesskey|privatekey|authtoken|accesstoken)$/.test(word)
  ) {
    return 'secret';
  }
  return word.length > 5 && /(?:token|secret)$/.test(word) ? 'token' : null;
}

/** @returns what `name` says of its value, or null if it says nothing */
export function secretName(name: string): SecretName | null {
  const words = wordsOf(name);
  if (words.length > 1 && ID_NAMES.has(words.slice(-3).join(' '))) return 'token';
  for (let index = words.length - 1; index >= 0; index -= 1) {
    const kind = kindAt(words, index);
    if (kind === null) continue;
    if (words.slice(index + 1).some((word) => ABOUT.has(word))) return null;
    const before = words[words[index] === 'key' ? index - 2 : index - 1] ?? '';
    if (kind !== 'password' && NOT_SECRET.has(before)) return null;
    if (kind === 'password' && /^(?:no|without|forgot|reset|change|update)$/.test(before))
      return null;
    return kind;
  }
  const last = words[words.length - 1];
  const owner = words[words.length - 2];
  if (last === 'id' && owner === 'client') return 'provider';
  if (last === 'key' && owner !== undefined && !LOOKUP_KEYS.has(owner)) return 'provider';
  return words.some((word) => PROVIDERS.has(word)) && !words.some((word) => DIGESTS.has(word))
    ? 'provider'
    : null;
}
