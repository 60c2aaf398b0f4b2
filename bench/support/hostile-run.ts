import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../test/support/faults/dice';
import { type Answer, faultIn, type HostileClient, objectIn, type Request } from './hostile-client';
import { damaged, hostileText, hostileValue, mutant, type Node, written } from './hostile-mutants';
import { smallest } from './smallest';

/** Faults are looked into one by one; a run that has this many has said enough. */
const MOST_FAULTS = 20;
/** A capture takes seconds; ten thousand that wait for one another take minutes. */
const SETTLING_MS = 15 * 60_000;
/** As many as a machine of two cores cards beside being asked: past it the sender waits. */
const MOST_UNSETTLED = 1_000;

export type EventNode = { [key: string]: Node };

/** Asks and looks at what comes back; what it asks depends on the dice alone. */
export class HostileRun {
  readonly tally: Record<string, number> = {};
  readonly faults: { what: string; file: string }[] = [];
  /** What was accepted and is not known to be settled, and how it was sent. */
  private readonly open = new Map<string, string>();
  private readonly dispositions: Record<string, number> = {};
  private next = 0;

  constructor(
    private readonly client: HostileClient,
    private readonly dice: Dice,
    private readonly sources: readonly EventNode[],
    private readonly prefix: string,
    private readonly folder: string,
  ) {}

  async forAWhile(events: number, until: number): Promise<void> {
    while (this.next < events && Date.now() < until && this.faults.length < MOST_FAULTS) {
      const roll = this.dice.next();
      if (roll < 0.55) await this.batch();
      else if (roll < 0.7) await this.single();
      else if (roll < 0.82) await this.damagedBody();
      else if (roll < 0.97) await this.oddRequest();
      else await this.oddBytes();
      if (this.open.size > MOST_UNSETTLED) await this.settle(MOST_UNSETTLED / 2);
    }
    await this.settle(0);
    if (!(await this.client.isReady())) this.keep('not ready at the end', Buffer.alloc(0));
  }

  report(): Record<string, unknown> {
    return { ...this.tally, dispositions: this.dispositions, faults: this.faults };
  }

  /** Good ones and mutants in turn: each good one has to be taken whatever stands beside it. */
  private async batch(): Promise<void> {
    const items = Array.from({ length: this.dice.between(2, 12) }, (_, at) =>
      at % 2 === 0 ? this.good() : this.mutant(),
    );
    const body = batchOf(items.map(({ json }) => json));
    const answer = await this.ask('batches', post(body));
    if (answer === null) return;
    const faultWith = (given: Answer) => {
      const answered = itemsIn(given);
      if (given.status !== 202 || answered.length !== items.length)
        return 'a batch without its items';
      const lost = items.some(({ id }, at) => id !== null && answered[at]?.status !== 'accepted');
      return lost ? 'a good event was not taken beside a bad one' : itemFault(answered);
    };
    const fault = faultWith(answer);
    if (fault !== null) {
      this.keep(fault, await this.smallestPair(items, fault));
      return;
    }
    for (const [at, item] of itemsIn(answer).entries()) this.noted(item, items[at]?.json ?? '');
  }

  private async single(): Promise<void> {
    const { json } = this.mutant();
    const answer = await this.ask('single events', post(Buffer.from(json)));
    if (answer === null) return;
    for (const item of itemsIn(answer)) this.noted(item, json);
  }

  private async damagedBody(): Promise<void> {
    const whole = batchOf([this.good().json, this.mutant().json, this.good().json].map(short));
    const body = damaged(whole, this.dice);
    const answer = await this.ask('damaged bodies', post(body));
    if (answer === null) return;
    for (const item of itemsIn(answer)) this.noted(item, body.toString('latin1'));
  }

  private async oddRequest(): Promise<void> {
    await this.ask('odd requests', this.odd());
  }

  private async oddBytes(): Promise<void> {
    this.count('odd bytes');
    const bytes = damaged(Buffer.from(this.client.head().repeat(2)), this.dice);
    await this.client.raw(bytes);
    const { json, id } = this.good();
    const answer = await this.ask('events after odd bytes', post(Buffer.from(json)));
    if (answer?.status !== 202) this.keep(`${id} was not taken after odd bytes`, bytes);
    else for (const item of itemsIn(answer)) this.noted(item, json);
  }

  /** One request, whose answer is looked at for what no request may cause. */
  private async ask(what: string, request: Request): Promise<Answer | null> {
    this.count(what);
    const fault = async (body: Buffer | null): Promise<[string | null, Answer | null]> => {
      try {
        const answer = await this.client.send({ ...request, body });
        return [faultIn(answer), answer];
      } catch (error) {
        return [`no answer (${(error as Error).message})`, null];
      }
    };
    const [found, answer] = await fault(request.body);
    if (found === null) {
      this.count(`status ${answer?.status}`);
      return answer;
    }
    const line = `${request.method} ${request.path} ${JSON.stringify(request.headers)}`;
    const least =
      request.body === null
        ? Buffer.alloc(0)
        : await smallest(request.body, async (body) => (await fault(body))[0] === found);
    this.keep(`${found}: ${line.slice(0, 2_000)}`, least);
    return null;
  }

  /** The one event that spoils a good one beside it, made small. */
  private async smallestPair(items: readonly { json: string }[], fault: string): Promise<Buffer> {
    const spoils = async (bad: Buffer) => {
      const body = batchOf([this.good().json, bad, this.good().json]);
      const answer = await this.client.send(post(body)).catch(() => null);
      if (answer === null || answer.status === 400) return false;
      const [before, , behind, ...more] = itemsIn(answer);
      const both = before?.status === 'accepted' && behind?.status === 'accepted';
      return (
        answer.status !== 202 || more.length > 0 || !both || itemFault(itemsIn(answer)) !== null
      );
    };
    for (const { json } of items) {
      if (await spoils(Buffer.from(json))) return await smallest(Buffer.from(json), spoils);
    }
    return Buffer.from(`${fault}, only all together:\n${items.map(({ json }) => json).join('\n')}`);
  }

  private noted(item: Record<string, unknown>, sent: string): void {
    this.count(`items ${item.status}`);
    if (item.status === 'accepted') this.open.set(String(item.event_id), sent);
  }

  /** Waits until so few are left; what is settled without a card has to say why. */
  private async settle(left: number): Promise<void> {
    const until = Date.now() + SETTLING_MS;
    while (this.open.size > left) {
      for (const [id, sent] of this.open) {
        const { status, text } = await this.client.get(`/v1/events/${encodeURIComponent(id)}`);
        const { disposition, card_id: card, reason } = objectIn(text) ?? {};
        if (status === 200 && disposition === 'pending') continue;
        this.open.delete(id);
        this.dispositions[String(disposition)] = (this.dispositions[String(disposition)] ?? 0) + 1;
        const settled = disposition === 'carded' ? card : disposition !== 'failed' && reason;
        if (status !== 200 || !settled) {
          this.keep(
            `${id} was accepted and ended as ${disposition} (${reason})`,
            Buffer.from(sent),
          );
        }
      }
      if (this.open.size > left) await sleep(500);
      if (Date.now() < until) continue;
      for (const [id, sent] of this.open) this.keep(`${id} was never settled`, Buffer.from(sent));
      this.open.clear();
    }
  }

  private good(): { id: string; json: string } {
    const id = this.newId();
    return { id, json: written({ ...this.source(), event_id: id, text: id }) };
  }

  private mutant(): { id: null; json: string } {
    const event = { ...this.source(), event_id: this.newId() };
    return { id: null, json: written(mutant(event, this.dice)) };
  }

  private odd(): Request {
    const { dice } = this;
    const text = () => hostileText(dice).slice(0, 3_000);
    const part = () => encodeURIComponent(Buffer.from(text()).toString()).slice(0, 900);
    const json = (value: Node) => Buffer.from(written(value));
    const agent = { 'cairn-agent': 'hostile' };
    return dice.pick<() => Request>([
      () => asking('GET', `/v1/events/${part()}`),
      () => asking('GET', `/v1/operations/${part()}`),
      () => asking('GET', `/v1/cards/${part()}/${dice.pick(['history', 'edges', 'grants', ''])}`),
      () => asking('GET', `/v1/${dice.pick(['cards', 'events', 'runs', 'audit'])}?limit=${part()}`),
      () => asking('GET', `/v1/cards?q=${part()}`),
      () => asking('GET', `/v1/graph?center=${part()}&depth=${dice.pick(['1', '2', '0x1'])}`),
      () => asking('POST', '/v1/recall', json({ query: text() }), agent),
      () => asking('POST', '/v1/recall', json({ query: 'x', filters: hostileValue(dice) }), agent),
      () =>
        asking(
          'POST',
          '/v1/recall',
          json({ query: 'x', filters: { metadata: hostileValue(dice) } }),
        ),
      () => asking('PUT', `/v1/notes/${part()}`, json({ value: hostileValue(dice) }), agent),
      () => asking('PUT', '/v1/notes/n', json({ value: text() }), agent),
      () =>
        asking('POST', '/v1/cards', json({ summary: text(), metadata: hostileValue(dice) }), agent),
      () => asking('POST', '/v1/policy/preview', json(hostileValue(dice))),
      () => asking('POST', '/v1/events', json(hostileValue(dice))),
      () => asking('POST', `/v1/events?wait_ms=${part()}`, json({ events: [] })),
      () => asking(dice.pick(['PUT', 'DELETE', 'PATCH']), `/${part()}`, json({})),
      () =>
        asking('POST', '/v1/events', Buffer.from(this.good().json), {
          'content-type': dice.pick(['text/plain', 'application/json; charset=utf-16', 'x/y']),
        }),
      () =>
        asking('GET', '/v1/cards', null, {
          [dice.pick(['cairn-agent', 'cairn-person', 'cairn-session', 'if-match'])]: headerText(
            text(),
          ),
        }),
    ])();
  }

  private source(): EventNode {
    return this.dice.pick(this.sources);
  }

  private newId(): string {
    this.next += 1;
    return `${this.prefix}-${this.next}`;
  }

  private count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1;
  }

  private keep(what: string, input: Buffer): void {
    mkdirSync(this.folder, { recursive: true });
    const file = join(this.folder, `fault-${this.faults.length + 1}.txt`);
    writeFileSync(file, Buffer.concat([Buffer.from(`${what}\n\n`), input]));
    this.faults.push({ what: what.slice(0, 300), file });
    process.stdout.write(`FAULT ${what.slice(0, 300)}\n  ${file}\n`);
  }
}

function asking(
  method: string,
  path: string,
  body: Buffer | null = null,
  headers: Record<string, string> = {},
): Request {
  const type: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
  return { method, path, body, headers: { ...type, ...headers } };
}

const post = (body: Buffer) => asking('POST', '/v1/events', body);

function batchOf(items: readonly (string | Buffer)[]): Buffer {
  const parts = items.flatMap((item, at) => [
    Buffer.from(at === 0 ? '' : ','),
    typeof item === 'string' ? Buffer.from(item) : item,
  ]);
  return Buffer.concat([Buffer.from('{"events":['), ...parts, Buffer.from(']}')]);
}

/** A byte in a hundred KB of words is seldom one that matters. */
function short(json: string): string {
  return json.length > 4_000 ? '{"event_id":"cut"}' : json;
}

function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e\x80-\xff]/g, '');
}

function itemsIn(answer: Answer): Record<string, unknown>[] {
  const items = answer.status === 202 ? objectIn(answer.text)?.items : [];
  return Array.isArray(items) ? items : [];
}

function itemFault(items: readonly Record<string, unknown>[]): string | null {
  for (const { status, event_id: id, operation_id: operation, reason } of items) {
    const { code, detail } = (reason ?? {}) as { code?: unknown; detail?: unknown };
    if (status === 'refused' && typeof code === 'string' && typeof detail === 'string') continue;
    if (status !== 'refused' && typeof id === 'string' && typeof operation === 'string') continue;
    return `an item that is neither taken nor refused: ${JSON.stringify(status)}`;
  }
  return null;
}
