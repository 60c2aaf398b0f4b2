import type { TombstonesApplied, TombstonesFile } from '../contracts/erasure-proof';
import type { CallOptions, Transport } from './transport';

/** What is erased, as keyed hashes: kept beside a backup, and applied after a restore. */
export class Tombstones {
  constructor(private readonly transport: Transport) {}

  /**
   * All of the workspace, signed. No id stands in it.
   *
   * @example
   * await writeFile('tombstones.json', JSON.stringify(await client.tombstones.export()));
   */
  async export(options: CallOptions = {}): Promise<TombstonesFile> {
    return await this.transport.call<TombstonesFile>('/v1/tombstones', options);
  }

  /**
   * Erases again what a restored backup brought back.
   *
   * @throws {CairnError} 400 where the file was changed, or is of another workspace or secret key
   * @example
   * const { erasure_id } = await client.tombstones.apply(JSON.parse(await readFile('tombstones.json', 'utf8')));
   */
  async apply(file: TombstonesFile, options: CallOptions = {}): Promise<TombstonesApplied> {
    return await this.transport.call<TombstonesApplied>('/v1/tombstones', {
      method: 'POST',
      body: file,
      ...options,
    });
  }
}
