import type { Database } from '../../../src/store/database';
import type { Answer } from '../api';
import { HOUR_MS, type Organisation, type OrgReader, readersOf } from '../organisation';
import { plant, textOf } from '../organisation-plant';
import { plantInsights } from '../surfaces/insightful';
import { nameInProposals, plantProposals } from '../surfaces/proposing';
import { isMember, type Keys, makeKeys, readerFor } from '../surfaces/readers';
import { plantSkills } from '../surfaces/skilled';
import type { Door, Reader, Surface, SurfaceCard } from '../surfaces/surface';
import { waysOf } from '../visibility-model';

/** What the reads are made on: a served app on its database, and the clock that both follow. */
export interface LeakStage {
  door: Door;
  database: Database;
  now(): Date;
  advance(milliseconds: number): void;
}

/** A person of each workspace who may change everything, beside those that were generated. */
const GOVERNOR = { id: 'governor', role: 'owner', subject: null } as const;

/** An organisation that is planted and changes, with the model of it that changes along. */
export class LeakWorkspace {
  private constructor(
    readonly id: string,
    readonly org: Organisation,
    private readonly keys: Keys,
    private readonly stage: LeakStage,
    private readonly start: number,
  ) {}

  static async plant(stage: LeakStage, id: string, drawn: Organisation): Promise<LeakWorkspace> {
    const org: Organisation = { ...structuredClone(drawn), people: [...drawn.people, GOVERNOR] };
    const now = stage.now();
    await stage.database.inWorkspace(id, (tx) =>
      plant((text, values) => tx.query(text, values), id, org, now, 'derived_from'),
    );
    await plantProposals(stage.database, id, org, now);
    await nameInProposals(
      stage.database,
      id,
      org.cards.map((card) => card.id),
    );
    await plantSkills(
      stage.database,
      id,
      org.cards.map((card) => card.id),
    );
    await plantInsights(
      stage.database,
      id,
      org.cards.map((card) => card.id),
    );
    const keys = await makeKeys(stage.database, id, org, now);
    return new LeakWorkspace(id, org, keys, stage, now.getTime());
  }

  /**
   * As the governor.
   * @throws where the API failed: only what it refuses may leave things as they are.
   */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    etag = '',
  ): Promise<Answer> {
    const answer = await this.stage.door.call(method, path, {
      key: this.keys.people.get(GOVERNOR.id) ?? '',
      headers: etag === '' ? {} : { 'if-match': etag },
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status < 500) return answer;
    throw new Error(`${method} ${path} failed: ${answer.text}`);
  }

  /** For what no call of the API does yet. */
  async beside(statement: string, values: unknown[]): Promise<void> {
    await this.stage.database.inWorkspace(this.id, (tx) => tx.query(statement, values));
  }

  /** Since it was planted. */
  get hours(): number {
    return (this.stage.now().getTime() - this.start) / HOUR_MS;
  }

  at(hours: number): string {
    return new Date(this.start + hours * HOUR_MS).toISOString();
  }

  readers(): OrgReader[] {
    return readersOf(this.org);
  }

  /** Those at whom the rules are finest: who act for one of a household, and who have four ancestors. */
  fineReaders(): OrgReader[] {
    return this.readers().filter(
      (who) => who.as === 'agent' && (this.isHoused(who.person) || this.generation(who.agent) >= 4),
    );
  }

  private isHoused(personId: string | null): boolean {
    const { people, subjects } = this.org;
    const subject = people.find(({ id }) => id === personId)?.subject ?? null;
    return (subjects.find(({ id }) => id === subject)?.household ?? null) !== null;
  }

  private generation(agentId: string): number {
    const parent = this.org.agents.find(({ id }) => id === agentId)?.parent ?? null;
    return parent === null ? 0 : 1 + this.generation(parent);
  }

  credentials(who: OrgReader, byOwnKey: boolean): Reader {
    const key = this.keys.people.get(GOVERNOR.id) ?? '';
    return {
      ...readerFor(this.keys, who, byOwnKey),
      isMember: isMember(this.org, who),
      asOwner: { key, agent: who.agent, person: null },
    };
  }

  cards(): SurfaceCard[] {
    return this.org.cards.map(({ id, status }) => ({
      ...{ id, status, key: id, summary: textOf(this.id, id) },
    }));
  }

  expected(surface: Surface, who: OrgReader, among: readonly SurfaceCard[]): string[] {
    const seen = (id: string) =>
      this.org.cards.some((card) => card.id === id && this.isSeen(who, card));
    return among.filter((card) => surface.shows(card) && seen(card.id)).map(({ id }) => id);
  }

  /** The texts that must not be in any answer to this reader. */
  hidden(who: OrgReader): string[] {
    return this.org.cards
      .filter((card) => !this.isSeen(who, card))
      .map(({ id }) => textOf(this.id, id));
  }

  private isSeen(who: OrgReader, card: Organisation['cards'][number]): boolean {
    return waysOf(this.org, who, card, this.hours).length > 0;
  }
}
