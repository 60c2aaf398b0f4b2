import type { PrincipalKind, Trust } from '../contracts/names';

/**
 * Whose word it is that a card held: a person's; a runtime's, of a session that it saw end well; or an
 * agent's, through its own key or through a runtime that speaks for it.
 */
export type Voice = PrincipalKind;

/** How often such a word raises the stored confidence, by 0.1 each time. */
export type Raises = 'each_use' | 'once_a_day' | 'never';

export interface Weight {
  /** Makes the card `validated`, which in a conflict stands above any confidence. */
  validates: boolean;
  raises: Raises;
}

/**
 * What a word that a card held, or helped, is worth (design §7). Each counts the use, once for each
 * recall and card. Beyond that, since stored confidence and `validated` decide contradictions:
 *
 * | whose word              | raises confidence              | validates |
 * |-------------------------|--------------------------------|-----------|
 * | a person's              | at each use                    | yes       |
 * | a runtime's             | at each use                    | no        |
 * | an agent's of another's | once a day for agent and card  | no        |
 * | an agent's of its own   | never                          | no        |
 *
 * So nobody but others makes a card surer. Days are those of the calendar (UTC), by the clock of the
 * server and never by a time that the agent reports. That a card was wrong may be said of an own one too:
 * it lowers it.
 *
 * @param isOwn whether the card is in the agent's own scope, or of its own work wherever it stands
 */
export function weightOf(voice: Voice, isOwn: boolean): Weight {
  switch (voice) {
    case 'person':
      return { validates: true, raises: 'each_use' };
    case 'runtime':
      return { validates: false, raises: 'each_use' };
    case 'agent':
      return { validates: false, raises: isOwn ? 'never' : 'once_a_day' };
    default:
      return voice satisfies never;
  }
}

/** Of a request: a runtime that marks or validates a card does so for the agent that it names. */
export function voiceOfCaller(caller: PrincipalKind): Voice {
  return caller === 'person' ? 'person' : 'agent';
}

/** Of a settled event: its trust is that of who reported it, or what a policy rule lowered that to. */
export function voiceOfEvent(trust: Trust): Voice {
  return trust === 'person' || trust === 'runtime' ? 'runtime' : 'agent';
}
