import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Webhook } from '../contracts/webhook';
import { mergePolicy } from '../domain/policy';
import { workspaceHasher } from '../intake/hashing';
import type { putWebhookAnswerSchema, putWebhookSchema } from '../schemas/webhook';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import {
  insertWebhook,
  lockWebhook,
  readWebhook,
  type StoredWebhook,
  updateWebhook,
} from '../store/webhooks';
import type { ApiDependencies } from './app';
import { writeOnce } from './idempotency';
import { directoryOf } from './listing';
import { Problem } from './problem';
import { hatsOf } from './roles';
import { permittedAddresses, permittedUrl, resolveHost, TargetRefused } from './webhook-address';
import { newSalt, WebhookSeal, type WebhookTarget } from './webhook-seal';

type Change = z.output<typeof putWebhookSchema>;
type PutAnswer = z.output<typeof putWebhookAnswerSchema>;

/** What a change makes of a webhook, and the names of the fields that move. */
interface Changed {
  target: WebhookTarget;
  changed: string[];
  /** Whether Cairn made a secret that the caller has to be told. */
  isNewKey: boolean;
}

/** Makes a webhook or changes it, and audits that without its address. */
export async function putWebhook(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  body: Change,
): Promise<{ status: 200 | 201; body: PutAnswer }> {
  const url = await checkedUrl(request, body.url);
  const seal = sealOf(deps, request);
  const show = shownTo(deps, request);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const now = deps.clock();
      const change = { ...body, url };
      // Somebody may make it between the two looks: the second one finds it.
      for (;;) {
        const before = await lockWebhook(tx, id);
        const { target, changed, isNewKey } = changeOf(seal, before, change);
        const key = isNewKey ? { signing_secret: seal.signingSecret(id, target) } : {};
        const write = {
          id,
          sealed: seal.seal(id, target),
          has_secret: target.secret !== null,
          events: change.events,
          now,
        };
        if (before !== null && changed.length === 0) {
          return { status: 200, reference: { id }, body: show(before) };
        }
        const after =
          before === null ? await insertWebhook(tx, write) : await updateWebhook(tx, write);
        if (after === null) continue;
        await auditPut(tx, deps, request, { id, changed, url });
        return {
          status: before === null ? 201 : 200,
          reference: { id },
          body: { ...show(after), ...key },
        };
      }
    },
    rebuild: async (tx) => {
      const found = await readWebhook(tx, id);
      return found === null ? null : show(found);
    },
  });
  return answer as { status: 200 | 201; body: PutAnswer };
}

/** How a webhook is shown to this caller: its address whole to who may set it, else what is no secret of it. */
export function shownTo(
  deps: ApiDependencies,
  request: FastifyRequest,
): (stored: StoredWebhook) => Webhook {
  const seal = sealOf(deps, request);
  const directory = directoryOf(deps, request);
  const governs = hatsOf(request.caller).some((hat) => hat === 'owner' || hat === 'operator');
  return ({ sealed, ...stored }) => {
    const { url } = seal.open(stored.id, sealed);
    const { id, ...rest } = stored;
    return { id, url: governs ? url : directory.text(url), ...rest };
  };
}

function changeOf(
  seal: WebhookSeal,
  before: StoredWebhook | null,
  { url, events, secret }: Change,
): Changed {
  const old = before === null ? null : seal.open(before.id, before.sealed);
  const isNewKey = secret === null || (secret === undefined && old === null);
  const target = {
    url,
    secret: secret === undefined ? (old?.secret ?? null) : secret,
    salt: isNewKey || old === null ? newSalt() : old.salt,
  };
  const changed = [
    ...(old?.url === url ? [] : ['url']),
    ...(before !== null && sameNames(before.events, events) ? [] : ['events']),
    ...(isNewKey || target.secret !== old?.secret ? ['secret'] : []),
  ];
  return { target, changed, isNewKey };
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

/** @throws Problem 400 where a webhook of this workspace may not go there; it does not say what is there. */
async function checkedUrl(request: FastifyRequest, text: string): Promise<string> {
  const { allow_private: allowPrivate } = mergePolicy(request.caller.policyDocument).webhooks;
  try {
    const url = permittedUrl(text, allowPrivate);
    await permittedAddresses(url.hostname, { allowPrivate, resolve: resolveHost });
    return url.href;
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    const form = allowPrivate ? 'an http or https URL' : 'an https URL';
    const place = allowPrivate ? 'an address that can be found' : 'a public address';
    throw new Problem(
      400,
      'url_not_allowed',
      `url: must be ${form} without credentials whose host has ${place}` +
        (allowPrivate ? '' : '; webhooks.allow_private of the policy allows others'),
      { pointer: '/url' },
    );
  }
}

function sealOf(deps: ApiDependencies, request: FastifyRequest): WebhookSeal {
  return new WebhookSeal(deps.secretKey, request.caller.context.workspace);
}

/** The address stands in no log: its keyed hash tells one from another. */
async function auditPut(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  { id, changed, url }: { id: string; changed: string[]; url: string },
): Promise<void> {
  const hasher = workspaceHasher(deps.secretKey, tx.workspace);
  await auditWebhook(tx, deps, request, {
    action: 'webhook.put',
    id,
    changed,
    hashes: { url: hasher.hash('webhook-url', url).toString('hex') },
  });
}

/** What was done to a webhook, or by hand to what it is told. */
export async function auditWebhook(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  {
    id,
    ...entry
  }: { action: string; id: string; changed?: string[]; hashes?: Record<string, string> },
): Promise<void> {
  await writeAudit(tx, {
    at: deps.clock(),
    actor: request.caller.context.principal,
    target: { type: 'webhook', id },
    channel: 'api',
    ...entry,
  });
}
