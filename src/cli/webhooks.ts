import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { given } from '../client/given';
import {
  DELIVERY_STATES,
  type DeliveryState,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '../contracts/webhook';
import { choiceOf, countOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { WrongUse } from './failure';
import { LIMIT, type PageFlags, withPage } from './page';
import { oneLine, table } from './terminal';

interface PutFlags {
  url: string;
  event: WebhookEvent[];
  secretFile?: string;
  newSecret?: boolean;
  json?: boolean;
}

interface ListFlags extends PageFlags {
  state?: DeliveryState;
}

export function webhookCommand(program: Command, context: CommandContext): void {
  const webhook = program.command('webhook').description('who is told of what happens');
  putCommand(webhook, context);
  listCommand(webhook, context);
  deliveriesCommand(webhook, context);
  handCommands(webhook, context);
}

function putCommand(webhook: Command, context: CommandContext): void {
  const eventOf = choiceOf(WEBHOOK_EVENTS);
  withJson(
    webhook
      .command('put')
      .argument('<id>')
      .description('make a webhook, or change it')
      .requiredOption('--url <url>', 'where to; https, unless the policy allows private addresses')
      .requiredOption(
        '--event <name>',
        `what to tell, as often as needed: ${WEBHOOK_EVENTS.join(', ')}`,
        (value: string, before: WebhookEvent[] = []) => [...before, eventOf(value)],
      )
      .option('--secret-file <file>', 'sign with the secret in this file; - reads standard input')
      .option('--new-secret', 'have Cairn make a new secret'),
  ).action(async (id: string, flags: PutFlags) => {
    const say = speech(context, flags);
    const secret = await secretOf(context, flags);
    const { client } = await connect(context);
    const change = { url: flags.url, events: flags.event, ...given({ secret }) };
    const made = await client.webhooks.put(id, change);
    say.emit(made);
    say.print(webhooksText([made]));
    if (made.signing_secret !== undefined) {
      say.print(`\nsigned with ${made.signing_secret}  (shown this once)`);
    }
  });
}

function listCommand(webhook: Command, context: CommandContext): void {
  withPage(webhook.command('list').description('the webhooks of the workspace')).action(
    async (flags: ListFlags) => {
      const say = speech(context, flags);
      const { client } = await connect(context);
      const { limit = LIMIT, cursor } = flags;
      const page = await client.webhooks.list({ limit, ...given({ cursor }) });
      say.emit(page);
      say.print(page.items.length === 0 ? 'No webhooks.' : webhooksText(page.items));
      if (page.next_cursor !== null) say.print(`\nmore: --cursor ${page.next_cursor}`);
    },
  );
}

function deliveriesCommand(webhook: Command, context: CommandContext): void {
  withPage(
    webhook
      .command('deliveries')
      .argument('<id>')
      .description('what a webhook was told, and what came of it')
      .option('--state <state>', DELIVERY_STATES.join(', '), choiceOf(DELIVERY_STATES)),
  ).action(async (id: string, flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { limit = LIMIT, cursor, state } = flags;
    const page = await client.webhooks.deliveries(id, { limit, ...given({ cursor, state }) });
    say.emit(page);
    say.print(page.items.length === 0 ? 'No deliveries.' : deliveriesText(page.items));
    if (page.next_cursor !== null) say.print(`\nmore: --cursor ${page.next_cursor}`);
  });
}

function handCommands(webhook: Command, context: CommandContext): void {
  withJson(
    webhook.command('ping').argument('<id>').description('send it a ping, to try it'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const { client } = await connect(context);
    tell(await client.webhooks.ping(id), flags);
  });

  withJson(
    webhook
      .command('retry')
      .argument('<id>')
      .argument('<n>', 'the number that `deliveries` shows', countOf)
      .description('send a delivery once more'),
  ).action(async (id: string, n: number, flags: { json?: boolean }) => {
    const { client } = await connect(context);
    tell(await client.webhooks.retry(id, n), flags);
  });

  withJson(
    webhook.command('delete').argument('<id>').description('tell it nothing more, and forget it'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    await client.webhooks.delete(id);
    say.emit({ id, deleted: true });
    say.print(`${id} is told nothing more.`);
  });

  const tell = (delivery: WebhookDelivery, flags: { json?: boolean }): void => {
    const say = speech(context, flags);
    say.emit(delivery);
    say.print(deliveriesText([delivery]));
  };
}

/** A secret in an argument would stand in the shell's history and in the list of processes. */
async function secretOf(
  context: CommandContext,
  { secretFile, newSecret }: PutFlags,
): Promise<string | null | undefined> {
  if (secretFile === undefined) return newSecret === true ? null : undefined;
  if (newSecret === true) throw new WrongUse('Give either --secret-file or --new-secret.');
  if (secretFile === '-') return (await text(context.terminal.input)).trim();
  return await readFile(secretFile, 'utf8').then(
    (read) => read.trim(),
    () => {
      throw new WrongUse(`${secretFile} cannot be read.`);
    },
  );
}

function webhooksText(webhooks: readonly Webhook[]): string {
  return table(
    webhooks.map(({ id, url, events, has_secret }) => [
      id,
      oneLine(url, 60),
      has_secret ? 'own secret' : 'made secret',
      events.join(' '),
    ]),
  );
}

function deliveriesText(deliveries: readonly WebhookDelivery[]): string {
  return table(
    deliveries.map((one) => [
      String(one.n),
      one.created_at,
      one.type,
      one.state,
      `${one.attempts} ${one.attempts === 1 ? 'try' : 'tries'}`,
      one.last_error === 'status' ? `status ${one.last_status}` : (one.last_error ?? ''),
      one.next_at === null ? '' : `next ${one.next_at}`,
    ]),
  );
}
