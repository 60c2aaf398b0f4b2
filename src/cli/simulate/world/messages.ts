import type { Json } from '../../../contracts/event';
import { WEEKDAYS } from './catalogue';
import { type Dice, dice } from './dice';
import type { Choice } from './dimensions';
import type { Demand } from './rules';

/** An error, and whether it says the whole of what is asked, or only that this value will not do. */
export interface Refusal {
  error: Json;
  tellsAll: boolean;
}

/** How services word their refusals; `sent` is the value as it stood in the input, or null. */
export function refusal(
  service: string,
  param: string,
  demand: Demand,
  choice: Choice,
  sent: string | number | null,
  luck: Dice,
): Refusal {
  return luck.pick(wordings(service, param, demand, choice, sent));
}

function wordings(
  service: string,
  param: string,
  demand: Demand,
  choice: Choice,
  sent: string | number | null,
): readonly Refusal[] {
  switch (demand.kind) {
    case 'required_field':
      return sent === null
        ? [
            all(`ValidationError: missing required field: ${param} must be ${demand.value}`),
            all(`400 Bad Request: ${param} is required and must be ${demand.value}`),
            part({ code: 'validation_error', message: `the field ${param} is required` }),
          ]
        : [
            all(`ValidationError: ${param} must be ${demand.value}, not ${sent}`),
            all({
              code: 'validation_error',
              message: `invalid ${param}: it must be ${demand.value}`,
            }),
          ];
    case 'format': {
      const accepted = demand.accepted.join(' or ');
      return [
        all(`ValidationError: invalid ${param}: the format must be ${accepted}`),
        all(`400 Bad Request: ${param} ${sent} is invalid, expected ${accepted}`),
        all({ code: 'invalid_format', message: `${param} must be written as ${accepted}` }),
      ];
    }
    case 'rate_limit':
      return [
        all(`429 Too Many Requests: the limit is ${demand.limit} per batch, got ${sent}`),
        all(`Rate limit exceeded: at most ${demand.limit} items in one call`),
        all({
          code: 'rate_limited',
          message: `rate limit: a ${param} of ${sent} is over the limit of ${demand.limit}`,
        }),
      ];
    case 'maintenance_window': {
      const days = `${WEEKDAYS[demand.from] ?? ''} to ${WEEKDAYS[demand.to] ?? ''}`;
      return [
        all(`503 Service Unavailable: maintenance window ${days}, ${demand.part}`),
        part(`Service unavailable: maintenance on ${choice}`),
        part({ code: 503, message: `${service} is unavailable for maintenance in slot ${choice}` }),
      ];
    }
    case 'opaque':
      return [
        part('403 Forbidden'),
        part('Error 403: forbidden'),
        part({ code: 403, message: 'Forbidden' }),
      ];
    default:
      return demand satisfies never;
  }
}

function all(error: Json): Refusal {
  return { error, tellsAll: true };
}

function part(error: Json): Refusal {
  return { error, tellsAll: false };
}

const FLAKY: readonly Json[] = [
  '504 Gateway Timeout',
  'Error: connection reset by peer',
  '502 Bad Gateway',
  { code: 'timeout', message: 'the upstream took too long to answer' },
];

export function flakyError(seed: number, call: string, attempt: number): Json {
  return dice(seed, 'flaky-words', call, attempt).pick(FLAKY);
}
