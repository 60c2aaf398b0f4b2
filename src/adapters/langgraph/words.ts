import type { Json, JsonObject } from '../../contracts/event';
import type { ItemPath } from './item-path';

/** Of a card's text in characters (contract, Card); what is longer is found by its beginning. */
const MOST_WORDS = 2_000;

/**
 * The text that an item is found by: of the fields named, else of all; empty where they have none.
 * A value of one text is that text, others are named by their fields.
 *
 * @example wordsOf({ text: 'I love hiking' }, ['$']) // 'I love hiking'
 * @example wordsOf({ city: 'Oslo', stars: 4 }, ['$']) // 'city: Oslo\nstars: 4'
 */
export function wordsOf(value: JsonObject, fields: readonly string[]): string {
  const found = fields.flatMap((field) => leavesAt(value, field));
  const single = found.length === 1 && typeof found[0]?.leaf === 'string';
  const lines = found.map(({ path, leaf }) => (single ? String(leaf) : `${path}: ${String(leaf)}`));
  return clipped(lines.join('\n').trim());
}

/** What stands on a card without words of its own: recall shows it as what it is. */
export function labelOf({ namespace, key }: ItemPath): string {
  return clipped(`Item ${key} of ${namespace.join(' / ')}, kept for a program.`);
}

function clipped(text: string): string {
  const characters = [...text];
  return characters.length <= MOST_WORDS ? text : characters.slice(0, MOST_WORDS).join('');
}

interface Leaf {
  path: string;
  leaf: string | number | boolean;
}

/**
 * What stands at a path: `a.b`, `a[0]`, `a[-1]`, `a[*].b`, `a.*`, `{a,b}`; `$` is the whole.
 * A path that leads nowhere finds nothing.
 */
function leavesAt(value: JsonObject, path: string): Leaf[] {
  const steps = path === '$' ? [] : (path.match(/\[[^\]]*\]|\{[^}]*\}|[^.[\]{}]+/g) ?? []);
  return walk([{ path: '', at: value }], steps).flatMap(({ path: to, at }) => leavesOf(to, at));
}

interface Place {
  path: string;
  at: Json;
}

function walk(places: Place[], steps: readonly string[]): Place[] {
  const [step, ...rest] = steps;
  if (step === undefined) return places;
  if (step.startsWith('{')) {
    const names = step.slice(1, -1).split(',');
    return names.flatMap((name) => walk(places, [...name.trim().split('.'), ...rest]));
  }
  return walk(
    places.flatMap((place) => stepped(place, step)),
    rest,
  );
}

function stepped({ path, at }: Place, step: string): Place[] {
  if (typeof at !== 'object' || at === null) return [];
  const name = step.startsWith('[') ? step.slice(1, -1) : step;
  const under = (key: string, inner: Json | undefined): Place[] =>
    inner === undefined ? [] : [{ path: path === '' ? key : `${path}.${key}`, at: inner }];
  if (name === '*') return Object.entries(at).flatMap(([key, inner]) => under(key, inner));
  if (!Array.isArray(at)) return Object.hasOwn(at, name) ? under(name, at[name]) : [];
  const place = Number(name);
  return Number.isInteger(place) ? under(name, at.at(place)) : [];
}

function leavesOf(path: string, at: Json): Leaf[] {
  if (at === null || at === '') return [];
  if (typeof at !== 'object') return [{ path, leaf: at }];
  return Object.entries(at).flatMap(([key, inner]) =>
    leavesOf(path === '' ? key : `${path}.${key}`, inner),
  );
}
