import { InvalidArgumentError } from 'commander';

/** A whole number from 1. */
export function countOf(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) {
    throw new InvalidArgumentError('It must be a whole number from 1.');
  }
  return count;
}

/** A score of urgency. */
export function scoreOf(value: string): number {
  const score = Number(value);
  if (value.trim() === '' || !(score >= 0 && score <= 100)) {
    throw new InvalidArgumentError('It must be a number from 0 to 100.');
  }
  return score;
}

/** A time with a zone, or a date, which means its beginning in UTC. */
export function timeOf(value: string): string {
  const text = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00Z` : value;
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/i.test(text);
  if (!hasZone || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('It must be a time with a zone, such as 2026-03-02T08:24:15Z.');
  }
  return text;
}

export function choiceOf<T extends string>(choices: readonly T[]): (value: string) => T {
  return (value) => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) {
      throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
    }
    return choice;
  };
}

/** The head of a chain of seals, as `audit seal` and `audit verify` print it. */
export function headOf(value: string): string {
  if (!/^[0-9a-f]{64}$/i.test(value)) {
    throw new InvalidArgumentError('It must be a head: 64 hexadecimal digits.');
  }
  return value.toLowerCase();
}
