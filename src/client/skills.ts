import type { CardScope } from '../contracts/card';
import type { Page } from '../contracts/run';
import type {
  FoundSkill,
  Skill,
  SkillCase,
  SkillDiff,
  SkillDocument,
  SkillEntry,
  SkillStatus,
  SkillVersionEntry,
} from '../contracts/skill';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { Call, CallOptions, Transport } from './transport';

/** The text of a version: in parts, in Markdown, or as a whole SKILL.md. */
export type SkillText =
  | { document: Partial<SkillDocument> & Pick<SkillDocument, 'steps'> }
  | { body: string }
  | { skill_md: string };

export type NewSkill = SkillText & {
  /** With `document` or `body`; a SKILL.md has its own. */
  name?: string;
  description?: string;
  scope?: CardScope;
  tests?: SkillCase[];
};

export type NewSkillVersion = SkillText & { description?: string; tests?: SkillCase[] };

/** Which skill of a name; without it the nearest. */
export interface SkillScope {
  scope_type?: CardScope['type'];
  scope_id?: string;
}

type Changing = SkillScope & CallOptions & Pick<Call, 'ifMatch'>;

/** Procedures with versions, tests and provenance. */
export class Skills {
  constructor(private readonly transport: Transport) {}

  /**
   * Skills by name.
   *
   * @example
   * const { items } = await client.skills.list({ status: 'current' });
   */
  async list(
    options: { status?: SkillStatus } & PageOptions & CallOptions = {},
  ): Promise<Page<SkillEntry>> {
    return await this.read<Page<SkillEntry>>('/v1/skills', options);
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const skill of client.skills.iterate()) console.log(skill.name, skill.version);
   */
  iterate(
    options: { status?: SkillStatus; limit?: number } & CallOptions = {},
  ): AsyncGenerator<SkillEntry> {
    return itemsOf((cursor) => this.list({ ...options, ...given({ cursor }) }));
  }

  /**
   * Skills in use that fit what somebody is about to do, the best first.
   *
   * @example
   * const { items } = await client.skills.discover('send the newsletter');
   */
  async discover(
    query: string,
    options: PageOptions & CallOptions = {},
  ): Promise<Page<FoundSkill>> {
    return await this.read<Page<FoundSkill>>('/v1/skills', options, { query: { query } });
  }

  /**
   * One skill, the version in use unless another is named.
   *
   * @throws {CairnError} 404 where there is none of this name
   * @example
   * const { body } = await client.skills.get('send-a-newsletter');
   */
  async get(
    name: string,
    options: { version?: number } & SkillScope & CallOptions = {},
  ): Promise<Skill> {
    return await this.read<Skill>(path(name), options);
  }

  /**
   * The same as a SKILL.md.
   *
   * @example
   * await writeFile('SKILL.md', await client.skills.markdown('send-a-newsletter'));
   */
  async markdown(
    name: string,
    options: { version?: number } & SkillScope & CallOptions = {},
  ): Promise<string> {
    return await this.read<string>(path(name, 'skill.md'), options, { text: true });
  }

  /** The newest first. */
  async versions(
    name: string,
    options: SkillScope & PageOptions & CallOptions = {},
  ): Promise<Page<SkillVersionEntry>> {
    return await this.read<Page<SkillVersionEntry>>(path(name, 'versions'), options);
  }

  /**
   * What differs between two versions, by section: by default the one in use and the latest.
   *
   * @example
   * const { sections } = await client.skills.diff('send-a-newsletter', { from: 1, to: 2 });
   */
  async diff(
    name: string,
    options: { from?: number; to?: number } & SkillScope & CallOptions = {},
  ): Promise<SkillDiff> {
    return await this.read<SkillDiff>(path(name, 'diff'), options);
  }

  /**
   * Writes a skill; its first version is in use at once.
   *
   * @throws {CairnError} 409 `name_taken`, 422 `tests_failed`
   * @example
   * await client.skills.create({
   *   name: 'send-a-newsletter', description: 'Sends a newsletter in batches.',
   *   document: { steps: [{ text: 'Send a batch of 100.', service: 'mailer', operation: 'send_batch' }] },
   * });
   */
  async create(skill: NewSkill, options: CallOptions = {}): Promise<Skill> {
    return await this.transport.call<Skill>('/v1/skills', {
      method: 'POST',
      body: skill,
      ...options,
    });
  }

  /**
   * Adds a version as a draft; `test` puts it in use.
   *
   * @example
   * const { version } = await client.skills.addVersion('send-a-newsletter', { skill_md });
   * await client.skills.test('send-a-newsletter', version);
   */
  async addVersion(name: string, version: NewSkillVersion, options: Changing = {}): Promise<Skill> {
    return await this.change(path(name, 'versions'), version, options);
  }

  /**
   * Runs the tests of a skill on a version, and puts it in use where it is no step back: `version_status` and
   * `test_result` of the answer say what came of it.
   */
  async test(
    name: string,
    version: number,
    options: { dryRun?: boolean } & Changing = {},
  ): Promise<Skill> {
    const { dryRun, ...rest } = options;
    const body = given({ dry_run: dryRun });
    return await this.change(path(name, 'versions', String(version), 'test'), body, rest);
  }

  /** Takes the version before, or the one that is named, back into use. */
  async rollback(name: string, options: { version?: number } & Changing = {}): Promise<Skill> {
    const { version, ...rest } = options;
    return await this.change(path(name, 'rollback'), given({ version }), rest);
  }

  /** Advises against a skill, and names the one to use instead. */
  async deprecate(name: string, options: { replacedBy?: string } & Changing = {}): Promise<Skill> {
    const { replacedBy, ...rest } = options;
    return await this.change(path(name, 'deprecate'), given({ replaced_by: replacedBy }), rest);
  }

  /** What is no option of the call itself is a parameter of the query. */
  private async read<T>(
    url: string,
    options: CallOptions & object,
    more: Pick<Call, 'text'> & { query?: object } = {},
  ): Promise<T> {
    const { signal, timeoutMs, ...others } = options;
    const query = { ...others, ...more.query };
    return await this.transport.call<T>(url, { ...more, query, ...given({ signal, timeoutMs }) });
  }

  private async change(
    url: string,
    body: object,
    { signal, timeoutMs, ifMatch, ...query }: Changing,
  ): Promise<Skill> {
    const call = given({ signal, timeoutMs, ifMatch });
    return await this.transport.call<Skill>(url, { method: 'POST', body, query, ...call });
  }
}

function path(name: string, ...rest: readonly string[]): string {
  return ['/v1/skills', encodeURIComponent(name), ...rest].join('/');
}
