import type { Json } from '../../contracts/event';
import { readLiteral } from './literal';
import { readYaml } from './yaml-shape';

/** What an input or output turned out to be, once a text that holds data is read as data. */
export type Parsed =
  | { shape: 'empty' }
  | { shape: 'scalar'; value: string | number | boolean }
  | { shape: 'list'; items: readonly Json[]; cut: boolean }
  | { shape: 'record'; fields: Readonly<Record<string, Json>>; cut: boolean }
  | { shape: 'text'; text: string; cut: boolean };

/** Beyond this a text is sized, not parsed. */
const PARSE_LIMIT = 64_000;
const CUT_MARK = /\s*\[?\.\.\.\s?cut\b[^\n]{0,80}$/;
const EMPTY_WORDS = new Set(['', 'none', 'null', 'nil', '[]', '{}', '()', '""', "''", 'undefined']);

export function parseValue(value: Json | undefined): Parsed {
  if (value === undefined || value === null) return { shape: 'empty' };
  if (typeof value === 'string') return parseText(value);
  return fromJson(value, false);
}

function fromJson(value: Json, cut: boolean): Parsed {
  if (value === null) return { shape: 'empty' };
  if (Array.isArray(value)) {
    return value.length === 0 ? { shape: 'empty' } : { shape: 'list', items: value, cut };
  }
  if (typeof value === 'object') {
    return Object.keys(value).length === 0
      ? { shape: 'empty' }
      : { shape: 'record', fields: value, cut };
  }
  if (typeof value === 'string' && (value.length > 120 || value.includes('\n'))) {
    return { shape: 'text', text: value, cut };
  }
  return value === '' ? { shape: 'empty' } : { shape: 'scalar', value };
}

function parseText(raw: string): Parsed {
  const cut = CUT_MARK.test(raw.slice(-100));
  const text = (cut ? `${raw.slice(0, -100)}${raw.slice(-100).replace(CUT_MARK, '')}` : raw).trim();
  if (EMPTY_WORDS.has(text.toLowerCase())) return { shape: 'empty' };
  if (text.length <= PARSE_LIMIT) {
    if (/^[[{(]/.test(text)) {
      const literal = readLiteral(text);
      if (literal !== undefined && literal !== null && typeof literal === 'object') {
        return fromJson(literal, cut);
      }
    }
    const yaml = readYaml(text);
    if (yaml !== undefined) return fromJson(yaml, cut);
  }
  if (text.length <= 120 && !text.includes('\n')) return { shape: 'scalar', value: text };
  return { shape: 'text', text, cut };
}
