/**
 * The formats in which providers issue secrets: one row a format, `[provider, prefixes, body]`.
 *
 * `body` is a regular expression for what follows the prefix. Every quantifier in it is bounded, by
 * 512 at most, so one attempt costs a known number of steps; the detector extends a hit to the end of
 * its run of token characters, which is linear. A body that is followed by `EXACT` must end there.
 *
 * Options: `anyBody` takes bodies without variety as well (documented samples of `xxxx`); `loose`
 * takes bodies of letters alone; `glued` takes a letter or digit right before the prefix.
 */
import type { RedactionType } from '../contracts/names';

export interface ProviderToken {
  provider: string;
  prefixes: readonly string[];
  body: string;
  type: RedactionType;
  anyBody: boolean;
  loose: boolean;
  glued: boolean;
}

type Option = 'anyBody' | 'loose' | 'glued' | 'private_key' | 'auth_header' | 'password';

const EXACT = '(?![A-Za-z0-9])';
const UUID = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';
const hex = (count: number | string) => `[0-9A-Fa-f]{${count}}${EXACT}`;
const alnum = (count: number | string) => `[A-Za-z0-9]{${count}}${EXACT}`;
const url64 = (count: number | string) => `[A-Za-z0-9_-]{${count}}`;

export function row(
  provider: string,
  prefixes: string,
  body: string,
  ...options: Option[]
): ProviderToken {
  return {
    provider,
    prefixes: prefixes.split(' ').map((prefix) => prefix.replace('␠', ' ')),
    body,
    type: options.includes('private_key')
      ? 'private_key'
      : options.includes('auth_header')
        ? 'auth_header'
        : options.includes('password')
          ? 'password'
          : 'token',
    anyBody: options.includes('anyBody'),
    loose: options.includes('loose'),
    glued: options.includes('glued'),
  };
}

// biome-ignore format: one row a line, so that a new format is one line of a diff
export const PROVIDER_TOKENS: readonly ProviderToken[] = [
  row('1Password secret key', 'A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}'),
  row('1Password service account', 'ops_eyJ', '[A-Za-z0-9+/=_-]{40,512}'),
  row('Adafruit', 'aio_', alnum('24,32')),
  row('Adobe', 'p8e-', alnum(32)),
  row('Adyen', 'AQE', '[a-z0-9A-Z]{2,6}[A-Za-z0-9*=+/-]{60,512}'),
  row('age', 'AGE-SECRET-KEY-1', '[A-Za-z0-9]{40,64}', 'anyBody', 'private_key'),
  row('age plugin', 'AGE-PLUGIN-', '[A-Z0-9]{2,20}-1[A-Z0-9]{40,512}', 'private_key'),
  row('Airtable', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  row('Alibaba', 'LTAI', alnum('12,26')),
  row('Anthropic, OpenAI and alike', 'sk-', url64('20,96')),
  row('Apify', 'apify_api_', alnum('30,60')),
  row('Apollo', 'service:', '[A-Za-z0-9-]{2,40}:[A-Za-z0-9_-]{22}'),
  row('Artifactory key', 'AKC', '[A-Za-z0-9]{10,96}(?![A-Za-z0-9+/=_-])', 'anyBody'),
  row('Artifactory password', 'AP0 AP1 AP2 AP3 AP4 AP5 AP6 AP7 AP8 AP9 APA APB APC APD APE APF', '(?=[A-Z]{0,16}[a-z0-9])[A-Za-z0-9]{10,96}(?![A-Za-z0-9+/=_-])', 'anyBody'),
  row('Artifactory reference', 'cmVmd', alnum(59)),
  row('Artifactory header', 'X-JFrog-Art-Api:', ' {0,2}[A-Za-z0-9]{10,128}', 'anyBody', 'glued'),
  row('Asana', '0/ 1/ 2/', '[0-9]{15,17}(?:/[0-9]{15,17})?:[0-9a-f]{32}'),
  row('Atlassian', 'ATATT3 ATCTT3', '[A-Za-z0-9_=-]{40,512}'),
  row('Atlassian Bitbucket', 'ATBB', alnum('28,40')),
  row('Atlassian DC', 'BBDC-', '[A-Za-z0-9+/@_-]{36,60}'),
  row('Authress', 'sc_ ext_ scauth_ authress_', '[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}'),
  row('AWS key id', 'AKIA ASIA ABIA ACCA AROA AIDA AGPA AIPA ANPA ANVA APKA ASCA A3T', '[A-Z0-9]{16,17}(?![A-Za-z0-9])', 'anyBody'),
  row('AWS Bedrock', 'ABSK', '[A-Za-z0-9+/]{40,512}={0,2}'),
  row('AWS Bedrock short', 'bedrock-api-key-', '[A-Za-z0-9+/=_.-]{20,512}'),
  row('AWS MWS', 'amzn.mws.', UUID),
  row('AWS Cognito pool secret and LWA', 'amzn1.oa2-cs.v1.', '[0-9a-f]{40,64}'),
  row('Bitcoin WIF', '5 K L', '[1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])', 'private_key'),
  row('BIP 32', 'xprv yprv zprv tprv', '[1-9A-HJ-NP-Za-km-z]{90,120}', 'private_key'),
  row('Braintree', 'access_token$', '(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}'),
  row('Brevo', 'xkeysib- xsmtpsib-', '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  row('Browserbase', 'bb_live_ bb_test_', url64('20,60')),
  row('Buildkite', 'bkua_ bkct_ bkaj_ bkpat_', '[A-Za-z0-9]{30,128}'),
  row('Bundler licence', 'BUNDLE_ENTERPRISE__CONTRIBSYS__COM BUNDLE_GEMS__CONTRIBSYS__COM', '["\' ]{0,2}[ :=]{1,4}["\']?[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}', 'password', 'anyBody'),
  row('Bundler command', 'contribsys.com␠', '[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}', 'password', 'anyBody', 'glued'),
  row('CircleCI', 'CCIPAT_ CCIPRJ_', '[A-Za-z0-9]{20,24}_[0-9a-f]{40}'),
  row('Cairn', 'cairn_', `(?:[a-z2-7]{52}${EXACT}|[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-]))`),
  row('ClickHouse Cloud', '4b1d', alnum(38)),
  row('Clojars', 'CLOJARS_', alnum(60)),
  row('Cloudflare origin CA', 'v1.0-', '[0-9a-f]{24}-[0-9a-f]{146}'),
  row('Cloudflare', 'cfat_ cfut_ cfk_', url64('40,64')),
  row('Cerebras, Fireworks', 'csk- fw_', alnum('20,60')),
  row('Confluent', 'cflt', '[A-Za-z0-9+/]{60}'),
  row('Contentful', 'CFPAT-', url64('43,64')),
  row('crates.io', 'cio', alnum(32)),
  row('Databricks', 'dapi dkea dsapi dose', '[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])'),
  row('Defined Networking', 'dnkey-', '[A-Za-z0-9=_-]{20,30}-[A-Za-z0-9=_-]{40,60}'),
  row('DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', hex('40,64')),
  row('Docker', 'dckr_pat_ dckr_oat_ dckr_orgt_', url64('20,64')),
  row('Doppler', 'dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9]{40,64}'),
  row('Doppler service', 'dp.st.', '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,64}'),
  row('Dropbox', 'sl.', '(?:u\\.)?[A-Za-z0-9_=-]{100,512}'),
  row('Duffel', 'duffel_test_ duffel_live_', '[A-Za-z0-9_=-]{40,60}'),
  row('Dynatrace', 'dt0', '[a-z][0-9]{2}\\.[A-Za-z0-9]{8,24}\\.[A-Za-z0-9]{60,100}'),
  row('E2B', 'e2b_', alnum('30,60')),
  row('EasyPost', 'EZAK EZTK', alnum(54)),
  row('ElevenLabs and alike', 'sk_', '[A-Za-z0-9]{20,96}'),
  row('Endor Labs', 'endr+', '[A-Za-z0-9-]{16,32}'),
  row('Facebook', 'EAA', '[A-Za-z0-9]{80,128}'),
  row('Firecrawl', 'fc-', hex(32)),
  row('Figma', 'figd_ figo_ figor_ figoh_ figp_', url64('30,128')),
  row('Flutterwave', 'FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- FLWPUBK- FLWSECK_TEST FLWSECK_LIVE-', '[0-9A-Za-z]{12,40}(?:-X)?'),
  row('Fly.io', 'fo1_ fm1_ fm1r_ fm1a_ fm2_', '[A-Za-z0-9+/=_-]{36,512}'),
  row('Frame.io', 'fio-u-', '[A-Za-z0-9_=-]{50,80}'),
  row('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{30,255}'),
  row('GitHub app JWT', 'ghs_', '[0-9]{1,20}_eyJ[A-Za-z0-9_-]{10,512}\\.[A-Za-z0-9_-]{10,512}(?:\\.[A-Za-z0-9_-]{0,512})?'),
  row('GitHub fine-grained', 'github_pat_', '[A-Za-z0-9_]{22,255}'),
  row('GitHub old app', 'v1.', hex(40)),
  row('GitLab', 'glpat- gldt- glft- glimt- glagent- glsoat- glcbt- glptt- glrt- glrtr- glffct- gloas- glwt- GR1348941', '[A-Za-z0-9_.-]{16,300}'),
  row('GitLab session', '_gitlab_session=', '[A-Za-z0-9%_-]{20,128}', 'auth_header', 'glued'),
  row('GoCardless', 'live_ sandbox_', '[A-Za-z0-9_=-]{38,44}(?![A-Za-z0-9])'),
  row('Google API', 'AIza', '[A-Za-z0-9_-]{35}(?![A-Za-z0-9])'),
  row('Google API new', 'AQ.A', url64('30,128')),
  row('Google OAuth', 'ya29.', '[A-Za-z0-9_.-]{20,512}'),
  row('Google OAuth client', 'GOCSPX-', url64('20,40')),
  row('Google OAuth refresh', '1//0', url64('30,256')),
  row('Google storage HMAC', 'GOOG', '[A-Z0-9]{6,58}[0-9][A-Z0-9]{1,20}(?![A-Za-z0-9])'),
  row('Grafana', 'glc_ glsa_', '[A-Za-z0-9+/_]{30,400}={0,3}'),
  row('Grafana key', 'eyJrIjoi', '[A-Za-z0-9+/]{40,512}={0,3}'),
  row('Groq, xAI, Perplexity', 'gsk_ xai- pplx-', '[A-Za-z0-9]{40,128}'),
  row('Harness', 'pat. sat.', '[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9]{20,26}\\.[A-Za-z0-9]{18,24}'),
  row('HashiCorp Vault', 'hvs. hvb. hvr.', url64('20,96')),
  row('HashiCorp Vault, old', 's. b. r.', '(?=[A-Za-z]{0,23}[0-9])(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9(.])'),
  row('Heroku', 'HRKU-', url64('30,80')),
  row('HubSpot', 'pat-na1- pat-na2- pat-eu1-', UUID),
  row('Hugging Face', 'hf_', '[A-Za-z0-9]{34}(?![A-Za-z0-9])', 'loose'),
  row('Hugging Face other', 'hf_ hf_oauth_ hf_jwt_', '(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9_.-]{30,512}'),
  row('Hugging Face organisation', 'api_org_', '[A-Za-z0-9]{34}(?![A-Za-z0-9])', 'loose'),
  row('Instagram, Intercom', 'IGQV IGAA dG9rO', '[A-Za-z0-9_=-]{50,512}'),
  row('Infracost', 'ico-', alnum(32)),
  row('Intra 42', 's-s4t2ud- s-s4t2af-', '[0-9a-f]{64}'),
  row('Jina, Tavily, Pinecone', 'jina_ tvly- pcsk_', url64('24,128')),
  row('JWT', 'eyJ', '[A-Za-z0-9_-]{8,512}\\.[A-Za-z0-9_-]{10,512}(?:\\.[A-Za-z0-9_-]{0,512})?'),
  row('JWT in base64', 'ZXlK', '[A-Za-z0-9+/_-]{60,512}={0,2}'),
  row('JWK private part', '"d":" "d":␠"', url64('43,96'), 'private_key', 'glued'),
  row('LangSmith', 'lsv2_pt_ lsv2_sk_', '[0-9a-f]{32}(?:_[0-9a-f]{10})?'),
  row('LaunchDarkly', 'sdk- mob- api-', UUID),
  row('Linear', 'lin_api_ lin_oauth_ lin_wh_', alnum('30,80')),
  row('Lob', 'live_ test_', hex(35)),
  row('Lob publishable', 'live_pub_ test_pub_', hex(31)),
  row('Mailgun', 'key- pubkey-', alnum(32)),
  row('Mapbox secret', 'sk.eyJ', '[A-Za-z0-9_-]{40,512}\\.[A-Za-z0-9_-]{10,80}'),
  row('Modal, Neon', 'ak- as- napi_', alnum('20,80')),
  row('Standard Webhooks', 'whsec_ whsk_', '[A-Za-z0-9+/=_-]{20,128}'),
  row('Netlify', 'nfp_ nfc_ nfo_ nfu_', '[A-Za-z0-9]{30,64}'),
  row('New Relic', 'NRAK- NRII- NRJS- NRIQ- NRRA- NRSP- NRBR-', alnum('18,40')),
  row('Notion', 'ntn_', alnum('40,50')),
  row('Notion, old', 'secret_', alnum(43)),
  row('npm', 'npm_', alnum('30,40')),
  row('NuGet', 'oy2', alnum(43)),
  row('Octopus', 'API-', '[A-Z0-9]{25,32}(?![A-Za-z0-9])'),
  row('OpenShift', 'sha256~', url64('40,64'), 'glued'),
  row('OpenVSX, Open Collective', 'ovsxat_ ovsxp_', UUID),
  row('PASETO', 'v1.local. v2.local. v3.local. v4.local. v2.public. v4.public.', url64('40,96')),
  row('PayPal', 'A21AA', url64('60,128')),
  row('PEM in base64', 'LS0tLS1CRUdJTi LS0tLS1CRUdJTiB', '(?!BDRVJU|DRVJU)[A-Za-z0-9+/=]{20,512}', 'private_key', 'glued'),
  row('Plaid', 'access-sandbox- access-development- access-production-', UUID),
  row('PlanetScale', 'pscale_tkn_ pscale_oauth_ pscale_pw_ pscale_app_', '[A-Za-z0-9_.=-]{30,70}'),
  row('Polar, PostHog', 'polar_oat_ phx_ phs_ phc_', alnum('30,64')),
  row('Postman', 'PMAK- PMAT-', '[0-9A-Za-z]{24,26}(?:-[0-9A-Za-z]{34})?'),
  row('Prefect', 'pnu_ pnb_', alnum(36)),
  row('Pulumi', 'pul-', hex(40)),
  row('PyPI', 'pypi-AgE', url64('70,96')),
  row('Razorpay', 'rzp_live_ rzp_test_', alnum('14,24')),
  row('Readme', 'rdme_ rdme_xn8s9h', '[A-Za-z0-9]{60,80}'),
  row('Render', 'rnd_', alnum('24,40')),
  row('Replicate', 'r8_', alnum('30,40')),
  row('Resend', 're_', '(?=[A-Za-z_]{0,30}[0-9])[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30}'),
  row('RubyGems', 'rubygems_', hex(48)),
  row('Salesforce', '00D', '[A-Za-z0-9]{12,15}!AQ[A-Za-z0-9._]{60,120}'),
  row('Samsara, Scaleway', 'samsara_api_ SCW', '[A-Z0-9a-z]{17,40}(?![A-Za-z0-9])'),
  row('Scalingo', 'tk-us-', url64('48,56')),
  row('SendGrid', 'SG.', '[A-Za-z0-9_=-]{16,48}[A-Za-z0-9_=.-]{20,60}'),
  row('Sentry', 'sntrys_ sntryu_ sntrya_ sntryi_', '[A-Za-z0-9+/=_-]{40,512}'),
  row('Settlemint', 'sm_pat_ sm_sat_ sm_aat_', alnum(16)),
  row('Shippo', 'shippo_live_ shippo_test_', hex(40)),
  row('Shopify', 'shpat_ shpca_ shppa_ shpss_ shpua_ shprt_', alnum('32,44')),
  row('Slack', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb- xapp-', '(?=[A-Za-z-]{0,40}[0-9])[A-Za-z0-9%/+=-]{11,512}'),
  row('Sonar', 'squ_ sqp_ sqa_', alnum('40,44')),
  row('Sourcegraph', 'sgp_ sgd_ sgs_ slk_', '(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40,64}(?![A-Za-z0-9])'),
  row('Square', 'sq0atp- sq0csp- sq0idp- sq0iat-', url64('20,60')),
  row('Square access', 'EAAA EAAAE', '[A-Za-z0-9_+=-]{50,64}(?![A-Za-z0-9])'),
  row('Stripe and alike', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', '[A-Za-z0-9]{10,255}'),
  row('Supabase', 'sbp_ sb_secret_', url64('24,64')),
  row('Tailscale', 'tskey-', '[A-Za-z]{2,16}-[A-Za-z0-9]{8,24}(?:-[A-Za-z0-9]{16,64})?', 'anyBody'),
  row('Tencent', 'AKID', alnum('13,40')),
  row('Thunderstore, Together AI', 'tss_ tgp_v1_', url64('24,64')),
  row('Trello', 'ATTA', '[0-9a-f]{60,80}'),
  row('Twilio', 'SK AC', '[0-9a-z]{32}(?![A-Za-z0-9])', 'anyBody'),
  row('Twitter bearer', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%_-]{60,256}'),
  row('Typeform', 'tfp_', '[A-Za-z0-9_.=-]{40,70}'),
  row('Unkey', 'unkey_', url64('20,64')),
  row('Vercel', 'vcp_ vci_ vca_ vcr_ vck_ vercel_', url64('24,64')),
  row('Voyage', 'pa-', url64('40,48')),
  row('Yandex', 'AQVN', url64('35,40')),
  row('Yandex cloud', 'YC', '[A-Za-z0-9_-]{38}(?![A-Za-z0-9_])'),
  row('Yandex IAM', 't1. y0_ y1_ y2_ y3_', '[A-Za-z0-9_-]{30,512}(?:\\.[A-Za-z0-9_-]{80,90})?={0,2}'),
  row('crypt hash', '$2a$ $2b$ $2y$ $2x$', '[0-9]{2}\\$[A-Za-z0-9./]{53}', 'password', 'glued'),
  row('crypt hash other', '$6$ $5$ $1$ $apr1$ $y$ $7$ $gy$ $sha1$ $argon2id$ $argon2i$ $argon2d$ $scrypt$ $pbkdf2-sha256$ $pbkdf2-sha512$', '[A-Za-z0-9./=,$+]{20,200}', 'password', 'glued'),
  row('Ansible vault', '$ANSIBLE_VAULT;', '[0-9.]{3};AES256[\\s0-9a-f]{40,512}', 'glued'),
  row('NPM token line', ':_authToken= :_auth= :_password=', ' {0,2}["\']?[A-Za-z0-9_./+=-]{8,512}', 'glued', 'anyBody'),
  // Webhook addresses: whoever holds the address may post.
  row('Slack webhook', 'hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{16,200}', 'anyBody', 'glued'),
  row('Discord webhook', 'discord.com/api/webhooks/ discordapp.com/api/webhooks/', '[0-9]{6,24}/[A-Za-z0-9_-]{20,120}', 'glued'),
  row('Teams webhook', 'webhook.office.com/webhookb2/ outlook.office.com/webhook/', '[A-Za-z0-9@_-]{20,120}/IncomingWebhook/[A-Za-z0-9]{20,60}/?[A-Za-z0-9-]{0,60}', 'glued'),
  row('Zapier webhook', 'hooks.zapier.com/hooks/', 'catch/[0-9]{3,12}/[A-Za-z0-9]{4,20}', 'glued', 'anyBody'),
  row('IFTTT webhook', 'maker.ifttt.com/', '[A-Za-z0-9_./-]{4,80}/key/[A-Za-z0-9_-]{16,60}', 'glued'),
  row('Make webhook', 'make.com/ integromat.com/', '[a-z0-9]{24,40}(?![A-Za-z0-9])', 'glued'),
  row('Feishu webhook', 'open-apis/bot/v2/hook/', '[A-Za-z0-9-]{16,60}', 'glued'),
  row('Google Chat webhook', 'chat.googleapis.com/v1/spaces/', '[A-Za-z0-9_-]{4,40}/messages\\?[^\\s"\'<>]{10,300}', 'glued'),
  row('WeCom, DingTalk webhook', 'webhook/send?key= robot/send?access_token=', '[A-Za-z0-9-]{20,80}', 'glued'),
  row('Agents and models, by vendor', 'llx- m0- crsr_ rpa_ mxb_ tpuf_ esecret_ cog_ hl_sk_', alnum('30,128')),
  row('NVIDIA, Weights and Biases', 'nvapi- wandb_v1_', url64('50,100')),
  row('Aiven', 'AVNS_', url64('12,40')),
  row('Astra', 'AstraCS:', '[A-Za-z0-9]{16,40}:[0-9a-f]{40,80}'),
  row('AWS session', 'IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz', '[A-Za-z0-9+/=%]{60,512}', 'glued'),
  row('Axiom', 'xaat- xapt- xait-', UUID),
  row('Convex deploy', 'prod: preview: dev:', '[a-z]{2,20}-[a-z]{2,20}-[0-9]{1,4}\\|[A-Za-z0-9+/=]{30,200}'),
  row('Bitwarden', '0.', `${UUID}\\.[A-Za-z0-9]{20,40}:[A-Za-z0-9+/]{20,40}={0,2}`),
  row('Brave search', 'BSA', '(?=[A-Za-z_-]{0,20}[0-9])[A-Za-z0-9_-]{24,30}(?![A-Za-z0-9_-])'),
  row('Checkout', 'sk_sbox_', '[A-Za-z0-9]{20,32}[*#$=]{0,2}'),
  row('Cursor, Runway, Retell', 'key_', '(?<![\\w-]key_)[0-9a-f]{28,128}(?![A-Za-z0-9])'),
  row('DER private key', 'MIIEvgIBADAN MIIEvQIBADAN MIIEvAIBADAN MIICdgIBADAN MIICdwIBADAN MIIJQgIBADAN MIIJQwIBADAN MIIJRAIBADAN MIGHAgEAMBMGByqGSM49 MIGTAgEAMBMGByqGSM49 MIG2AgEAMBAGByqGSM49 MIIEpAIBAAKC MIIEowIBAAKC MIIEogIBAAKC MIIEpQIBAAKC MIICXAIBAAKB MIICXQIBAAKB MIICXgIBAAKB MHcCAQEEI MC4CAQAwBQYDK2Vw', '[A-Za-z0-9+/=]{40,512}(?:\\s{1,2}[A-Za-z0-9+/]{60,80}){0,60}(?:\\s{1,2}[A-Za-z0-9+/]{1,76}={1,2})?', 'private_key', 'glued'),
  row('Deno', 'ddp_ ddo_ ddw_', '[A-Za-z0-9]{30,48}'),
  row('DigitalOcean spaces', 'DO00 DO80', '[A-Z0-9]{14,18}(?![A-Za-z0-9])'),
  row('django hash', 'pbkdf2_sha256$ pbkdf2_sha1$ bcrypt_sha256$ pbkdf2:sha256: scrypt:', '[0-9:]{1,20}\\$[A-Za-z0-9+/.=]{6,64}\\$[A-Za-z0-9+/.=]{20,200}', 'password', 'glued'),
  row('Firebase messaging', 'AAAA', '[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}'),
  row('Honeycomb', 'hcaik_ hcbik_ hcxik_ hcalk_ hcblk_ hcxlk_ hcamk_', '[a-z0-9]{40,70}(?![A-Za-z0-9])'),
  row('Inngest', 'signkey-prod- signkey-test- signkey-branch-', '[0-9a-f]{32,64}'),
  row('Klaviyo', 'pk_', hex(34)),
  row('LDAP hash', '{SSHA} {SSHA256} {SSHA512} {SMD5} {CRYPT}', '[A-Za-z0-9+/.$]{16,160}={0,2}', 'password', 'glued'),
  row('Mandrill', 'md-', alnum(22)),
  row('Mollie', 'live_ test_ access_', alnum('30,44')),
  row('MongoDB Atlas', 'mdb_sa_sk_ mdb_', url64('36,64')),
  row('NetBird, Xata', 'nbp_ xau_', alnum('30,48')),
  row('OpenAI session', 'sess-', alnum('38,48')),
  row('Packagist', 'packagist_ort_ packagist_out_ packagist_uut_', '[0-9a-f]{40,80}'),
  row('Snyk', 'snyk_uat. snyk_sat.', '[0-9a-f]{8}\\.[A-Za-z0-9_.-]{20,200}'),
  row('Statsig', 'secret- console-', alnum(43)),
  row('Stytch', 'secret-live- secret-test-', '[A-Za-z0-9_-]{32,48}={0,2}(?![A-Za-z0-9])'),
  row('Trigger.dev', 'tr_dev_ tr_prod_ tr_stg_ tr_pat_', alnum('20,48')),
  row('Twitch chat', 'oauth:', '[a-z0-9]{30}(?![A-Za-z0-9])'),
  row('Session cookie', 'laravel_session= ci_session= ASP.NET_SessionId= li_at= connect.sid=', '[A-Za-z0-9%._+/-]{20,512}={0,2}', 'auth_header', 'glued'),
  row('Named cookie', '.AspNetCore. __Secure- __Host-', '[A-Za-z0-9._-]{1,60}=[A-Za-z0-9%._+/-]{20,512}={0,2}', 'auth_header', 'glued'),
  row('Node endpoint', 'g.alchemy.com/v2/ infura.io/v3/ quiknode.pro/', '[A-Za-z0-9_-]{32,64}', 'glued'),
  row('Telegram address', 'api.telegram.org/bot', '[0-9]{6,16}:[A-Za-z0-9_-]{30,40}', 'glued'),
  row('Ping address', 'hc-ping.com/', UUID, 'anyBody', 'glued'),
];

/**
 * Formats without a prefix, found by what stands inside them. `left` is the alphabet before the
 * anchor with the least and most characters taken from it; `right` follows the anchor at once.
 */
export interface AnchoredToken {
  provider: string;
  anchor: string;
  left: RegExp;
  least: number;
  most: number;
  right: string;
}

const HEX = /[0-9a-f]/;
const DIGIT = /[0-9]/;
const WORD = /[A-Za-z0-9_-]/;

// biome-ignore format: one row a line
export const ANCHORED_TOKENS: readonly AnchoredToken[] = [
  { provider: 'Azure AD client secret', anchor: 'Q~', left: /[A-Za-z0-9_~.]/, least: 2, most: 4, right: '[A-Za-z0-9_~.-]{31,36}(?![A-Za-z0-9_~-])' },
  { provider: 'Azure DevOps', anchor: 'AZDO', left: WORD, least: 76, most: 76, right: '[A-Za-z0-9]{4}(?![A-Za-z0-9])' },
  { provider: 'Azure storage and service bus', anchor: '+ASt', left: /[A-Za-z0-9+/]/, least: 70, most: 84, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure functions', anchor: 'AzFu', left: /[A-Za-z0-9_-]/, least: 40, most: 48, right: '[A-Za-z0-9_=-]{6,12}' },
  { provider: 'Azure OpenAI and AI services', anchor: 'JQQJ99', left: /[A-Za-z0-9]/, least: 48, most: 56, right: '[A-Za-z0-9]{20,30}(?![A-Za-z0-9])' },
  { provider: 'Azure Cosmos DB', anchor: 'ACDb', left: /[A-Za-z0-9+/]/, least: 70, most: 80, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure cache', anchor: 'AzCa', left: /[A-Za-z0-9+/]/, least: 30, most: 36, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure IoT hub', anchor: 'AIoT', left: /[A-Za-z0-9+/]/, least: 30, most: 36, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure event hub', anchor: '+AEh', left: /[A-Za-z0-9+/]/, least: 30, most: 36, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure service bus', anchor: '+ASb', left: /[A-Za-z0-9+/]/, least: 30, most: 36, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure relay', anchor: '+ARm', left: /[A-Za-z0-9+/]/, least: 30, most: 36, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure batch', anchor: '+ABa', left: /[A-Za-z0-9+/]/, least: 70, most: 80, right: '[A-Za-z0-9+/]{4,8}={0,2}' },
  { provider: 'Azure container registry', anchor: '+ACR', left: /[A-Za-z0-9+/]/, least: 38, most: 46, right: '[A-Za-z0-9+/]{4,8}(?![A-Za-z0-9])' },
  { provider: 'Azure search', anchor: 'AzSe', left: /[A-Za-z0-9]/, least: 38, most: 44, right: '[A-Za-z0-9]{4,8}' },
  { provider: 'Discord bot', anchor: '.', left: WORD, least: 23, most: 29, right: '[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_!-]{27,45}(?![A-Za-z0-9_.-])' },
  { provider: 'Facebook app', anchor: '|', left: DIGIT, least: 15, most: 17, right: '[A-Za-z0-9_-]{26,28}(?![A-Za-z0-9])' },
  { provider: 'Mailchimp', anchor: '-us', left: HEX, least: 32, most: 32, right: '[0-9]{1,2}(?![A-Za-z0-9])' },
  { provider: 'Mailgun signing', anchor: '-', left: /[0-9a-h]/, least: 32, most: 32, right: '[0-9a-h]{8}-[0-9a-h]{8}(?![A-Za-z0-9-])' },
  { provider: 'MaxMind', anchor: '_mmk', left: WORD, least: 34, most: 37, right: '(?![A-Za-z0-9])' },
  { provider: 'Pipedream', anchor: '.m.pipedream.net', left: /[a-z0-9]/, least: 12, most: 40, right: '' },
  { provider: 'Telegram bot', anchor: ':A', left: DIGIT, least: 7, most: 16, right: '[A-Za-z0-9_-]{33,35}(?![A-Za-z0-9_-])' },
  { provider: 'Terraform', anchor: '.atlasv1.', left: /[A-Za-z0-9]/, least: 12, most: 16, right: '[A-Za-z0-9_=-]{50,80}' },
];
