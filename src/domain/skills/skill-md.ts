import { parseDocument, stringify } from 'yaml';
import { SKILL_NAME } from './limits';
import { oneLine } from './one-line';

/** What stands in front of a skill's Markdown. */
export interface FrontMatter {
  name: string;
  description: string;
  /** Left out where a skill comes from elsewhere. */
  version?: number;
  status?: string;
}

export interface SkillMd extends FrontMatter {
  body: string;
}

/** What is wrong with a SKILL.md, in words that repeat nothing of it. */
export class UnreadableSkill extends Error {
  override readonly name = 'UnreadableSkill';
}

/** The file: YAML front matter between two lines of three hyphens, and the body in Markdown. */
export function skillMdOf({ name, description, version, status, body }: SkillMd): string {
  const front = {
    name,
    description,
    ...(version === undefined ? {} : { version }),
    ...(status === undefined ? {} : { status }),
  };
  return `---\n${stringify(front, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

/**
 * Reads a SKILL.md, its own or another tool's, in which only `name` and `description` have to be there.
 * Fields that are not known are left out.
 *
 * @throws UnreadableSkill
 */
export function skillMdIn(text: string): SkillMd {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const parts = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n([\s\S]*))?$/.exec(lines);
  if (parts === null) {
    throw new UnreadableSkill('must begin with front matter between two lines of three hyphens');
  }
  const front = frontMatterIn(parts[1] ?? '');
  const name = skillName(textIn(front, 'name'));
  const description = oneLine(textIn(front, 'description'));
  if (name === '') throw new UnreadableSkill('the front matter must have a name');
  if (description === '') throw new UnreadableSkill('the front matter must have a description');
  const { version } = front;
  const { status } = front;
  return {
    name,
    description,
    ...(typeof version === 'number' && Number.isSafeInteger(version) ? { version } : {}),
    ...(typeof status === 'string' ? { status } : {}),
    body: (parts[2] ?? '').trim(),
  };
}

function frontMatterIn(text: string): Record<string, unknown> {
  // Without aliases, since a few lines of them can stand for gigabytes.
  const document = parseDocument(text, { schema: 'core', logLevel: 'silent' });
  if (document.errors.length > 0) throw new UnreadableSkill('the front matter is no YAML');
  try {
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // An alias, or what it stands for, is missing.
  }
  throw new UnreadableSkill('the front matter must be a YAML mapping without aliases');
}

function textIn(front: Record<string, unknown>, field: string): string {
  const value = Object.hasOwn(front, field) ? front[field] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Another tool's `My Skill` becomes `my-skill`. */
function skillName(name: string): string {
  const text = oneLine(name);
  if (SKILL_NAME.test(text)) return text;
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
}
