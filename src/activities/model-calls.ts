import { CancelledFailure, log } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { FAILURES } from '../contracts/failures';
import { DistillerError } from '../models/distiller';
import { type RedactionOptions, redactText } from '../redaction/scanner';
import { workspaceTagger } from '../redaction/tags';
import type { WorkspaceSettings } from '../store/settings';
import { permanent, transient } from './failure';
import { whileHeartbeating } from './heartbeat';

/** Asks a model while it heartbeats; what fails is a code by the time it leaves. */
export async function askModel<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await whileHeartbeating(ask);
  } catch (error) {
    throw error instanceof CancelledFailure ? error : failureOf(error);
  }
}

/** What is not a code by now has no business in a history: it goes no further than its kind. */
function failureOf(error: unknown): ApplicationFailure {
  if (!(error instanceof DistillerError)) {
    log.error('the distiller broke', { kind: error instanceof Error ? error.name : typeof error });
    return transient('model_unavailable');
  }
  if (!FAILURES[error.type].retryable) return permanent(error.type);
  return transient(error.type, error.retryAfterMs ?? undefined);
}

/** The model may have put together again what redaction had taken apart. */
export function redactorOf(
  secretKey: string,
  workspace: string,
  settings: WorkspaceSettings,
): (text: string) => string {
  const options: RedactionOptions = {
    tag: workspaceTagger(secretKey, workspace),
    keepContactData: settings.policy.redaction.contact_data === 'keep_for_subjects',
    names: settings.redactedNames,
  };
  return (text) => redactText(text, options).value;
}
