import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { CARD_KINDS } from '../contracts/names';
import type { Policy, PolicyPatch } from '../contracts/policy';
import {
  type PolicyEffects,
  type PolicyPreview,
  PREVIEW_BOUNDS,
} from '../contracts/policy-preview';
import { DAY_MS, durationMs } from '../domain/durations';
import { urgentEffects } from '../domain/insights/urgent-effects';
import { mergePolicy } from '../domain/policy';
import {
  contradictionEffects,
  holdingEffects,
  strikeEffects,
  trustEffects,
  writeEffects,
} from '../domain/policy-effects';
import { retentionTimes } from '../domain/retention';
import { shortPointer } from '../schemas/event';
import { countToForget } from '../store/card-writes-forgotten';
import type { Tx } from '../store/database';
import { readPolicy } from '../store/policies';
import {
  countOlder,
  countPayloadsBefore,
  type RecentEvents,
  readConflicts,
  readFailedSteps,
  readFlagged,
  readRecentEvents,
  readUrgencies,
} from '../store/policy-effects';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { applyPatch } from './policy-change';

/** What a candidate changes, and what it would have done with what is stored. */
export async function previewOf(
  deps: ApiDependencies,
  caller: Caller,
  patch: PolicyPatch,
): Promise<PolicyPreview> {
  const now = deps.clock();
  const since = new Date(now.getTime() - PREVIEW_BOUNDS.days * DAY_MS);
  return await deps.database.inWorkspace(caller.context.workspace, async (tx) => {
    const { document: stored } = await readPolicy(tx);
    const before = mergePolicy(stored);
    const { document, changed } = applyPatch(stored, patch);
    const recent = await readRecentEvents(tx, since);
    const touched = (path: string) =>
      changed.some((one) => one.path === path || one.path.startsWith(`${path}.`));
    const look: Look = { tx, before, after: document, touched, recent, since, now };
    return {
      valid: true,
      problems: [],
      changed,
      document,
      looked_at: {
        since: since.toISOString(),
        until: now.toISOString(),
        events: Math.min(recent.events, PREVIEW_BOUNDS.events),
        events_capped: recent.capped,
        not_kept: recent.notKept,
      },
      effects: await effectsOf(look),
    };
  });
}

/** All that is wrong with a candidate. @throws the error itself where the candidate is not what is wrong */
export function refusedCandidate(error: Error & { validationContext?: string }): PolicyPreview {
  if (!hasZodFastifySchemaValidationErrors(error) || error.validationContext !== 'body') {
    throw error;
  }
  const problems = error.validation.flatMap(({ instancePath, message, params }) => {
    const path = instancePath === '/' ? '' : instancePath;
    const keys = (params as { keys?: string[] }).keys ?? [];
    if (keys.length === 0) {
      return [{ pointer: shortPointer(path), detail: message ?? 'is not valid' }];
    }
    return keys.map((key) => ({
      pointer: shortPointer(`${path}/${key}`),
      detail: 'unknown field',
    }));
  });
  return { valid: false, problems, changed: [], document: null, looked_at: null, effects: {} };
}

interface Look {
  tx: Tx;
  before: Policy;
  after: Policy;
  /** Whether the candidate changes anything there. */
  touched(path: string): boolean;
  recent: RecentEvents;
  since: Date;
  now: Date;
}

/** Whoever governs the policy sees the whole workspace. */
const readerOf = ({ tx, now }: Look): ReaderArguments => [
  tx.workspace,
  null,
  null,
  true,
  null,
  now,
];

async function effectsOf(look: Look): Promise<PolicyEffects> {
  const { tx, before, after, touched, recent, since } = look;
  const effects: PolicyEffects = {};
  if (touched('capture.write_rules')) {
    effects.write_rules = writeEffects(recent.groups, before, after);
  }
  if (touched('capture.trust_rules')) {
    effects.trust_rules = trustEffects(recent.groups, before, after);
  }
  if (touched('capture.instruction_like') || touched('capture.trust_rules')) {
    const flagged = await readFlagged(tx, readerOf(look), since);
    effects.instruction_like = holdingEffects(flagged, before, after);
  }
  if (touched('strikes')) {
    const windows = [before, after].map(({ strikes }) => durationMs(strikes.window));
    const earliest = new Date(look.now.getTime() - Math.max(...windows));
    effects.strikes = strikeEffects(await readFailedSteps(tx, earliest), before, after);
  }
  if (touched('resolve.tie')) {
    const conflicts = await readConflicts(tx, readerOf(look));
    effects.contradictions = contradictionEffects(conflicts, before, after);
  }
  if (['time_sensitivity', 'rates', 'urgent_above'].some((part) => touched(`insights.${part}`))) {
    const urgencies = await readUrgencies(tx, readerOf(look), since);
    effects.urgent_insights = urgentEffects(urgencies, before, after);
  }
  if (touched('retention')) effects.retention = await retentionEffects(look);
  return effects;
}

async function retentionEffects(look: Look): Promise<NonNullable<PolicyEffects['retention']>> {
  const { tx, before, after, touched, now } = look;
  const effects: NonNullable<PolicyEffects['retention']> = {};
  const ago = (duration: string) => new Date(now.getTime() - durationMs(duration));
  if (touched('retention.by_kind')) {
    const kinds = CARD_KINDS.filter((kind) => touched(`retention.by_kind.${kind}`));
    const horizons = kinds.flatMap((kind) => {
      const to = after.retention.by_kind[kind];
      return to === null ? [] : [{ kind, before: ago(to) }];
    });
    const older = await countOlder(tx, readerOf(look), horizons);
    effects.by_kind = kinds.map((kind) => ({
      kind,
      from: before.retention.by_kind[kind],
      to: after.retention.by_kind[kind],
      past: older.get(kind) ?? 0,
    }));
  }
  if (touched('retention.event_payload')) {
    effects.event_payloads = {
      before: await countPayloadsBefore(tx, ago(before.retention.event_payload)),
      after: await countPayloadsBefore(tx, ago(after.retention.event_payload)),
    };
  }
  if (touched('retention.forget')) {
    const due = (policy: Policy) => countToForget(tx, retentionTimes(policy, now).forget);
    effects.forget = { before: await due(before), after: await due(after) };
  }
  return effects;
}
