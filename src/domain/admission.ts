import type { SettledEvent } from '../contracts/event';
import type { Disposition, MemoryMode } from '../contracts/names';
import type { Policy } from '../contracts/policy';
import { writeRoute } from './policy';

export interface Modes {
  workspace: MemoryMode;
  agent: MemoryMode;
  /** The subject's own switch; `on` where the event names none. */
  subject: 'on' | 'off';
}

export interface AdmissionDecision {
  disposition: Extract<
    Disposition,
    'pending' | 'mode_off' | 'mode_manual' | 'transient' | 'sensitive'
  >;
  /** A reason code; null where the event goes on. */
  reason: string | null;
}

/**
 * Mode and write policy, the strictest first. Judged at the edge and again by the workflow, and the
 * stricter of the two stands (design §5).
 */
export function admissionOf(event: SettledEvent, modes: Modes, policy: Policy): AdmissionDecision {
  if (modes.workspace === 'off') return { disposition: 'mode_off', reason: 'workspace_off' };
  if (modes.agent === 'off') return { disposition: 'mode_off', reason: 'agent_off' };
  if (modes.subject === 'off') return { disposition: 'mode_off', reason: 'subject_off' };
  const route = writeRoute(policy, event);
  if (route === 'sensitive') return { disposition: 'sensitive', reason: 'write_rule' };
  if (modes.workspace === 'manual')
    return { disposition: 'mode_manual', reason: 'workspace_manual' };
  if (modes.agent === 'manual') return { disposition: 'mode_manual', reason: 'agent_manual' };
  if (route === 'transient') return { disposition: 'transient', reason: 'write_rule' };
  return { disposition: 'pending', reason: null };
}
