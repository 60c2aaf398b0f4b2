import type { Clock } from '../contracts/clock';
import type { CompactionRound } from '../contracts/compaction';
import type { CompactionInput } from '../contracts/conversation';
import type { ModelSpent } from '../contracts/learning';
import { groundedFacts } from '../domain/conversation/grounded-facts';
import { lineOf } from '../domain/conversation/summary';
import { summaryText } from '../domain/conversation/summary-text';
import type { FactExtractor } from '../models/fact-extractor';
import type { SummaryWriter } from '../models/summary-writer';
import type { ModelUsage } from '../models/usage';
import { keepCompactionDraft } from '../store/compaction-drafts';
import { lastMessages, readCompacted } from '../store/compaction-reads';
import type { Database } from '../store/database';
import { readSettings } from '../store/settings';
import { readRound } from './compaction-round';
import { permanent } from './failure';
import { askModel, redactorOf } from './model-calls';

export interface CompactionModelDependencies {
  database: Database;
  clock: Clock;
  /** Null where no model is configured: then the rules stand in. */
  summaryWriter: SummaryWriter | null;
  factExtractor: FactExtractor | null;
  /** Keys the tokens of a workspace, the same as at intake. */
  secretKey: string;
}

/** Each leaves a draft in Postgres, redacted, and fails with a code of `src/contracts/failures.ts`. */
export interface CompactionModelActivities {
  writeSummary(round: CompactionRound): Promise<ModelSpent>;
  extractFacts(input: CompactionInput): Promise<ModelSpent>;
}

const UNSPENT: ModelSpent = { calls: 0, tokens: 0 };

/** No transaction is open while the model is asked. */
export function createCompactionModelActivities(
  deps: CompactionModelDependencies,
): CompactionModelActivities {
  const { database, clock, summaryWriter, factExtractor, secretKey } = deps;
  return {
    writeSummary: async ({ workspace, conversation_id: id, version, n }) => {
      if (summaryWriter === null) throw permanent('model_not_configured');
      const { round, settings } = await database.inWorkspace(workspace, async (tx) => ({
        round: await readRound(tx, id, version),
        settings: await readSettings(tx),
      }));
      if (round === null || round.state === 'moved' || settings === null) return UNSPENT;
      const { previous, messages, through, from, details, summaryTokens } = round;
      const { parts, usage } = await askModel((signal) =>
        summaryWriter.write(
          {
            ...{ previous, messages, budget_tokens: summaryTokens },
            must_keep: details
              .filter((detail) => detail.n >= from && detail.items.length > 0)
              .map((detail) => lineOf(detail)),
          },
          signal,
        ),
      );
      const redacted = redactorOf(secretKey, workspace, settings);
      const { decisions, details: told, open, story } = parts;
      const text = summaryText({
        decisions: decisions.map(redacted),
        details: told.map(redacted),
        open: open.map(redacted),
        story: story.map(redacted),
      });
      const draft = { summary: { version, through, text } };
      await database.inWorkspace(workspace, (tx) =>
        keepCompactionDraft(tx, { conversationId: id, n }, draft, clock()),
      );
      return spent(usage);
    },

    extractFacts: async ({ workspace, conversation_id: id, n }) => {
      if (factExtractor === null) throw permanent('model_not_configured');
      const { conversation, messages, settings } = await database.inWorkspace(
        workspace,
        async (tx) => ({
          conversation: await readCompacted(tx, id),
          messages: await lastMessages(tx, id),
          settings: await readSettings(tx),
        }),
      );
      if (conversation === null || settings === null || messages.length < 2) return UNSPENT;
      const { subject_name: subject } = conversation;
      const said = await askModel((signal) => factExtractor.extract({ subject, messages }, signal));
      const redacted = redactorOf(secretKey, workspace, settings);
      const found = said.facts.map(({ text, source }) => ({ text: redacted(text), source }));
      const { model, promptVersion: prompt_version } = factExtractor;
      const draft = { facts: { facts: groundedFacts(found, messages), model, prompt_version } };
      await database.inWorkspace(workspace, (tx) =>
        keepCompactionDraft(tx, { conversationId: id, n }, draft, clock()),
      );
      return spent(said.usage);
    },
  };
}

function spent({ calls, tokens_in, tokens_out }: ModelUsage): ModelSpent {
  return { calls, tokens: tokens_in + tokens_out };
}
