import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as insight from '../src/contracts/insight';
import * as learning from '../src/contracts/learning';
import * as messages from '../src/contracts/messages';
import * as passes from '../src/contracts/passes';
import * as proposal from '../src/contracts/proposal-messages';
import { failureOf, knownFailures } from '../src/domain/timeline/failure-words';
import { ACTIVITY_NAMES, SIGNAL_NAMES, UPDATE_NAMES } from '../src/domain/timeline/step-names';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { committedHistories } from './support/histories';

const SOURCES = join(__dirname, '..', 'src');
const filesIn = (folder: string) =>
  readdirSync(join(SOURCES, folder)).map((file) => join(SOURCES, folder, file));

/** Of every factory in the folder, what it makes; none of them asks for anything before it is called. */
function activities(): string[] {
  const deps = {
    database: {},
    clock: () => new Date(0),
    secretKey: '0'.repeat(64),
    embedder: createHashedEmbedder(),
    log: {},
  };
  const factories = filesIn('activities').flatMap((file) =>
    Object.entries(require(file) as Record<string, unknown>).flatMap(([name, made]) =>
      /^create\w+Activities$/.test(name) ? [made as (given: object) => object] : [],
    ),
  );
  return factories.flatMap((create) => Object.keys(create(deps)));
}

const CONTRACTS: Readonly<Record<string, unknown>> = {
  ...insight,
  ...learning,
  ...messages,
  ...passes,
  ...proposal,
};

/** What the workflows define, by the constants of the contracts that they define it with. */
function defined(what: 'Signal' | 'Update'): string[] {
  return filesIn('workflows').flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const uses = [...source.matchAll(new RegExp(`= define${what}\\b|\\bdefine${what}<`, 'g'))];
    const names = [
      ...source.matchAll(new RegExp(`define${what}(?:<[^;(]*>)?\\(\\s*(\\w+)\\s*\\)`, 'g')),
    ].map((match) => match[1] ?? '');
    expect([file, names.length]).toEqual([file, uses.length]);
    return names.flatMap((name) => constantsOf(name, source));
  });
}

/** A constant, or the members of the list that is gone through under that name. */
function constantsOf(name: string, source: string): string[] {
  if (typeof CONTRACTS[name] === 'string') return [CONTRACTS[name]];
  const list = new RegExp(`for \\(const ${name} of (\\w+)\\)`).exec(source)?.[1];
  const members = new RegExp(`const ${list} = \\[([^\\]]+)\\]`).exec(source)?.[1] ?? '';
  return members.split(',').map((one) => {
    const value = CONTRACTS[one.trim()];
    if (typeof value !== 'string') throw new Error(`${name} is defined with no known constant`);
    return value;
  });
}

it('each activity', () => {
  const made = activities();
  expect(made.length).toBeGreaterThan(60);
  expect(made.filter((name) => !Object.hasOwn(ACTIVITY_NAMES, name))).toEqual([]);
  // And none has words that nobody does.
  expect(Object.keys(ACTIVITY_NAMES).filter((name) => !made.includes(name))).toEqual([]);
});

it('each activity that was ever recorded', () => {
  const recorded = committedHistories().flatMap(({ history }) =>
    (history.events ?? []).flatMap(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
    ),
  );
  expect(recorded.length).toBeGreaterThan(100);
  const without = recorded.filter((name) => !Object.hasOwn(ACTIVITY_NAMES, name));
  expect([...new Set(without)]).toEqual([]);
});

it('each signal and each update', () => {
  expect(new Set(defined('Signal'))).toEqual(new Set(Object.keys(SIGNAL_NAMES)));
  expect(new Set(defined('Update'))).toEqual(new Set(Object.keys(UPDATE_NAMES)));
});

it('each failure, and one that has none does not speak for itself', () => {
  const said = (type: string) => failureOf({ applicationFailureInfo: { type } });
  for (const code of knownFailures()) {
    expect(said(code)).toEqual({ code, message: expect.stringMatching(/^\w+ .*\w$/) });
    expect(said(code)?.message).not.toContain(code);
  }
  expect(said('TypeError: Ada said so')).toMatchObject({ code: 'internal_error' });
});

it('and the words are no names of the program', () => {
  for (const names of [ACTIVITY_NAMES, SIGNAL_NAMES, UPDATE_NAMES]) {
    for (const words of Object.values(names)) expect(words).toMatch(/^[A-Z][^_]* [^_]*[^.]$/);
  }
});
