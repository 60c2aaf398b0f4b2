import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { CairnClient } from '../client/client';
import { given } from '../client/given';
import type { Erasure, ErasureSelector } from '../contracts/erasure';
import { type CommandContext, connect, speech, withJson } from './command';
import { countsText, erasureText } from './erasure';
import { Failed, WrongUse } from './failure';

interface EraseFlags {
  subject?: string;
  person?: string;
  agent?: string;
  source?: string;
  project?: string;
  event?: string[];
  card?: string[];
  reason?: string;
  legalBasis?: string;
  dryRun?: boolean;
  yes?: boolean;
  wait?: boolean;
  json?: boolean;
}

/** A large workspace takes minutes; who does not want to wait looks later by `cairn erasure show`. */
const DEADLINE_MS = 3_600_000;

export function eraseCommand(program: Command, context: CommandContext): void {
  const several = (value: string, before: string[] = []) => [...before, value];
  withJson(
    program
      .command('erase')
      .description('erase what is named, and what rests on it alone; counts it first and asks')
      .option('--subject <id>', 'what is about this subject')
      .option('--person <id>', 'what this person wrote, and the subject that they are')
      .option('--agent <id>', 'what is of this agent')
      .option('--source <service>', 'what is about this service')
      .option('--project <id>', 'what is of this project')
      .option('--event <id>', 'this event, as often as needed', several)
      .option('--card <id>', 'this card, as often as needed', several)
      .option('--reason <text>', 'why; goes with what it names')
      .option('--legal-basis <reference>', 'stands in the receipt, such as "GDPR Art. 17(1)(b)"')
      .option('--dry-run', 'only say what would go')
      .option('--yes', 'do not count first, and do not ask')
      .option(
        '--no-wait',
        'once it is accepted, which tombstones what was named, leave it to itself',
      ),
  ).action(async (flags: EraseFlags) => {
    const say = speech(context, flags);
    const {
      event,
      card,
      reason,
      legalBasis,
      dryRun = false,
      yes = false,
      json,
      wait,
      ...named
    } = flags;
    const selector: ErasureSelector = { ...named, ...given({ event_ids: event, card_ids: card }) };
    if (Object.keys(selector).length === 0) {
      throw new WrongUse('name what is to be erased: --subject, --person, --agent, --card …');
    }
    if (json === true && !yes && !dryRun) {
      throw new WrongUse('with --json nobody can be asked: add --yes or --dry-run');
    }
    const { client } = await connect(context);
    const why = given({ reason, legal_basis: legalBasis });
    if (!yes) {
      const counted = await waitedFor(client, selector, { ...why, dry_run: true });
      if (dryRun) say.emit(counted);
      say.print(`This would go: ${countsText(counted.counts)}`);
      if (dryRun) return;
      if (!(await confirmed(context))) throw new Failed('nothing was erased', 'not_confirmed');
    }
    if (wait === false) {
      const accepted = await client.erasures.request(selector, why);
      say.emit(accepted);
      say.print(`Accepted: cairn erasure show ${accepted.erasure_id}`);
      return;
    }
    const erasure = await waitedFor(client, selector, why);
    say.emit(erasure);
    say.print(erasureText(erasure));
    if (erasure.status !== 'completed') context.exit = 1;
  });
}

async function waitedFor(
  client: CairnClient,
  selector: ErasureSelector,
  options: { reason?: string; legal_basis?: string; dry_run?: boolean },
): Promise<Erasure> {
  const { erasure_id, operation_id } = await client.erasures.request(selector, options);
  await client.operations.wait(operation_id, { deadlineMs: DEADLINE_MS });
  return await client.erasures.get(erasure_id);
}

async function confirmed({ terminal }: CommandContext): Promise<boolean> {
  const lines = createInterface({ input: terminal.input, output: terminal.err });
  try {
    const answer = await lines.question('It cannot be taken back. Type "erase" to go on: ');
    return answer.trim() === 'erase';
  } finally {
    lines.close();
  }
}
