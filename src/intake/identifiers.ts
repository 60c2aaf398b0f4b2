import type { Refused, SettledEvent } from '../contracts/event';
import { classifyIdentifier } from '../redaction/identifier';
import type { RedactionOptions } from '../redaction/scanner';
import { idSchema } from '../schemas/event';
import { pseudonymOrId } from './pseudonyms';

type Holder = Record<string, unknown>;

interface Place {
  pointer: string;
  holder: Holder;
  field: string;
  /** A contact here becomes the workspace's pseudonym; elsewhere it refuses the event. */
  pseudonymous: boolean;
}

const PSEUDONYMOUS = ['agent', 'parent_agent', 'subject'];
const PLAIN = [
  'event_id',
  'team',
  'task',
  'session',
  'project',
  'key',
  'parent_event',
  'service',
  'operation',
  'task_type',
];

/** Identifiers and labels are checked, not redacted: `null` where all are fit to be kept. */
export function checkIdentifiers(
  event: SettledEvent,
  options: RedactionOptions,
): { refused: Refused | null; event: SettledEvent } {
  const copy = structuredClone(event);
  for (const place of placesIn(copy)) {
    const value = place.holder[place.field];
    if (typeof value !== 'string') continue;
    const { secret, contact } = classifyIdentifier(value, options);
    if (secret) {
      return { event, refused: refusal('secret_in_identifier', place, 'a secret') };
    }
    if (contact === null) {
      if (!place.pseudonymous || idSchema.safeParse(value).success) continue;
      return {
        event,
        refused: { code: 'invalid', pointer: place.pointer, detail: 'is not an id' },
      };
    }
    if (!place.pseudonymous) {
      return {
        event,
        refused: refusal(
          'pii_in_identifier',
          place,
          contact === 'email' ? 'an e-mail address' : 'a phone number',
        ),
      };
    }
    place.holder[place.field] = pseudonymOrId(value, options);
  }
  return { event: copy, refused: null };
}

function placesIn(event: SettledEvent): Place[] {
  const top = event as unknown as Holder;
  const places = [
    ...PSEUDONYMOUS.map((field) => ({
      pointer: `/${field}`,
      holder: top,
      field,
      pseudonymous: true,
    })),
    ...PLAIN.map((field) => ({ pointer: `/${field}`, holder: top, field, pseudonymous: false })),
  ];
  if (event.delegate !== undefined) {
    const holder = event.delegate as unknown as Holder;
    places.push({ pointer: '/delegate/agent', holder, field: 'agent', pseudonymous: true });
  }
  if (event.workflow_step !== undefined) {
    const holder = event.workflow_step as unknown as Holder;
    for (const field of ['workflow', 'step']) {
      places.push({ pointer: `/workflow_step/${field}`, holder, field, pseudonymous: false });
    }
  }
  return places;
}

function refusal(
  code: 'secret_in_identifier' | 'pii_in_identifier',
  place: Place,
  what: string,
): Refused {
  return {
    code,
    pointer: place.pointer,
    detail: `this identifier holds ${what}; use an id that stands for it`,
  };
}
