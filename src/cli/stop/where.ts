import { InvalidArgumentError } from 'commander';
import type { CardFilters } from '../../client/card-requests';
import { CARD_FLAGS, PRINCIPAL_KINDS } from '../../contracts/names';

/** What a card is found by: where it comes from. */
export type Where = Pick<CardFilters, 'flag' | 'event' | 'writer' | 'service' | 'agent'>;

const FORMS =
  `flag:${CARD_FLAGS.join('|')}, event:ID, service:NAME, agent:ID, ` +
  `writer:${PRINCIPAL_KINDS.join('|')}/ID`;

/** Reads `flag:instruction_like`, `event:call-7`, `writer:runtime/harness`, `service:browser`, `agent:scout`. */
export function whereOf(text: string): Where {
  const at = text.indexOf(':');
  const value = text.slice(at + 1);
  if (at < 1 || value === '') throw unknown();
  switch (text.slice(0, at)) {
    case 'flag': {
      const flag = CARD_FLAGS.find((one) => one === value);
      if (flag === undefined) throw unknown();
      return { flag };
    }
    case 'event':
      return { event: value };
    case 'writer': {
      const [kind, id] = [value.slice(0, value.indexOf('/')), value.slice(value.indexOf('/') + 1)];
      if (!PRINCIPAL_KINDS.some((one) => one === kind) || id === '') throw unknown();
      return { writer: value };
    }
    case 'service':
      return { service: value };
    case 'agent':
      return { agent: value };
    default:
      throw unknown();
  }
}

/** Several narrow what is found down to what all of them hold for. */
export function narrowed(value: string, before: Where = {}): Where {
  const more = whereOf(value);
  const twice = Object.keys(more).find((name) => Object.hasOwn(before, name));
  if (twice !== undefined) throw new InvalidArgumentError(`It names ${twice} a second time.`);
  return { ...before, ...more };
}

function unknown(): InvalidArgumentError {
  return new InvalidArgumentError(`It must be one of ${FORMS}.`);
}
