import type { Command } from 'commander';
import type { CairnClient } from '../client/client';
import { given } from '../client/given';
import {
  DECIDABLE_STATUSES,
  type Decision,
  PROPOSAL_TYPES,
  type ProposalType,
} from '../contracts/proposal';
import { choiceOf, countOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { Failed } from './failure';
import { inboxText, proposalText } from './inbox-text';
import { LIMIT, type PageFlags, withPage } from './page';

interface InboxFlags extends PageFlags {
  all?: boolean;
  type?: ProposalType;
  team?: string;
}

interface VerdictFlags {
  reason?: string;
  winner?: string;
  version?: number;
  json?: boolean;
}

/** Nobody decides a version by the way that they have not looked at. */
const FIRST_VERSION = 1;
const IN_VERSION = 'in its first version, or in the one that --version names';

/** What waits for a person, and deciding it. */
export function inboxCommands(program: Command, context: CommandContext): void {
  withPage(
    program
      .command('inbox')
      .argument('[id]', 'one of them, whole')
      .description('list what waits for a person, or show one of it with its evidence')
      .option('--all', 'what was decided too')
      .option('--type <type>', PROPOSAL_TYPES.join(', '), choiceOf(PROPOSAL_TYPES))
      .option('--team <id>', 'of this team'),
  ).action(async (id: string | undefined, flags: InboxFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const now = Date.now();
    if (id !== undefined) {
      const proposal = await client.proposals.get(id);
      say.emit(proposal);
      say.print(proposalText(proposal, now, say.width));
      return;
    }
    const { json: _json, all = false, limit = LIMIT, ...filters } = flags;
    const page = await client.proposals.list({
      ...filters,
      ...(all ? {} : { status: [...DECIDABLE_STATUSES] }),
      limit,
    });
    say.emit(page);
    say.print(inboxText(page, now, all));
  });

  const approve = program
    .command('approve')
    .argument('<id>')
    .description(`approve what waits, ${IN_VERSION}`)
    .option('--winner <card>', 'of a contradiction: the card to keep, if not the suggested one');
  decides(approve, context, 'approve');
  const reject = program
    .command('reject')
    .argument('<id>')
    .description(`reject what waits, ${IN_VERSION}`);
  decides(reject, context, 'reject');
}

function decides(command: Command, context: CommandContext, decision: Decision): void {
  withJson(
    command
      .option('--reason <text>', 'why; it is redacted, and can be erased')
      .option(
        '--version <n>',
        `the version that was looked at (default: ${FIRST_VERSION})`,
        countOf,
      ),
  ).action(async (id: string, flags: VerdictFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { reason, winner } = flags;
    const version = flags.version ?? (await firstVersionOf(client, id));
    const decided = await client.proposals.decide(id, {
      decision,
      version,
      ...given({ reason, winner }),
    });
    say.emit(decided);
    say.print(proposalText(decided, Date.now(), say.width));
  });
}

/** @throws {Failed} another version stands, which whoever says none may never have seen */
async function firstVersionOf(client: CairnClient, id: string): Promise<number> {
  const { version } = await client.proposals.get(id);
  if (version === FIRST_VERSION) return version;
  throw new Failed(
    `this is version ${version} by now: look at it with \`cairn inbox ${id}\`, then say --version ${version}`,
    'stale_version',
  );
}
