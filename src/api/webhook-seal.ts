import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What of a webhook is kept sealed. */
export interface WebhookTarget {
  url: string;
  /** The caller's; null where deliveries are signed with a key that is derived from the installation's. */
  secret: string | null;
  /** Of the derived key: another salt is another key, so that one that got out can be replaced. */
  salt: string;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals and opens the targets of one workspace's webhooks, and has the keys that their deliveries are signed with. */
export class WebhookSeal {
  private readonly key: Buffer;

  constructor(
    private readonly secretKey: string,
    private readonly workspace: string,
  ) {
    this.key = this.derived('cairn/webhook-seal');
  }

  /** Nonce, tag and cipher text; of one webhook, so that a row that is copied to another does not open. */
  seal(id: string, target: WebhookTarget): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(id));
    const text = Buffer.concat([cipher.update(JSON.stringify(target), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]);
  }

  /** @throws Error where it was sealed with another key or for another webhook, or is damaged. */
  open(id: string, sealed: Buffer): WebhookTarget {
    const iv = sealed.subarray(0, IV_BYTES);
    const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(CIPHER, this.key, iv, options)
      .setAAD(Buffer.from(id))
      .setAuthTag(tag);
    const text = sealed.subarray(IV_BYTES + TAG_BYTES);
    const opened = Buffer.concat([decipher.update(text), decipher.final()]);
    return JSON.parse(opened.toString('utf8')) as WebhookTarget;
  }

  /** The text whose bytes are the key of the signature. */
  signingSecret(id: string, { secret, salt }: WebhookTarget): string {
    if (secret !== null) return secret;
    const derived = this.derived(`cairn/webhook-signature\n${id}\n${salt}`);
    return `whsec_${derived.toString('base64url')}`;
  }

  private derived(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.secretKey, this.workspace, purpose, 32));
  }
}

export function newSalt(): string {
  return randomBytes(16).toString('base64url');
}

/** HMAC-SHA-256 over the time and the body, as the header carries it. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
