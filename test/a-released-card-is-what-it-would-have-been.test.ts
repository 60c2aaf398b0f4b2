import type { CardStatus } from '../src/contracts/names';
import type { Answer } from './support/api';
import { HOUR } from './support/filing';
import {
  AGENT,
  failure,
  PLANTED,
  type QuarantineLane,
  startQuarantineLane,
} from './support/quarantine';

let lane: QuarantineLane;
let agent: string;
beforeAll(async () => {
  lane = await startQuarantineLane();
  agent = await lane.api.keyFor(AGENT);
});
afterAll(() => lane.close());
beforeEach(() => lane.clock.advance(HOUR));

const decide = (id: string | null, decision: string, body: object = {}): Promise<Answer> =>
  lane.api.call('POST', `/v1/cards/${id}/${decision}`, { key: lane.reviewer, body });

const statusAfterRelease = async (id: string | null): Promise<CardStatus> =>
  (await decide(id, 'release')).body.status;

const byHand = async (key: string, headers = {}, hints = {}): Promise<string> => {
  const body = { summary: PLANTED, hints };
  return (await lane.api.call('POST', '/v1/cards', { key, headers, body })).body.id;
};
const byRuntime = () => byHand(lane.runtimeKey, { 'cairn-agent': 'scout' }, { service: 'browser' });

/** As a release found it before a held card said what it would have been. */
const forget = (id: string | null) =>
  lane.rows('UPDATE cards SET status_before = NULL WHERE id = $1', [id]);

describe('a card that was held back from the first', () => {
  it('waits to be confirmed where an agent reported or wrote it', async () => {
    const { card_id: filed } = await lane.filing.file(failure('inn'), AGENT);
    expect(await statusAfterRelease(filed)).toBe('pending');
    expect(await statusAfterRelease(await byHand(agent))).toBe('pending');
  });

  it('is active where a runtime settled or wrote it', async () => {
    const page = { service: 'browser', operation: 'read_page', output: PLANTED };
    const { card_id: filed } = await lane.filing.file(page);
    expect(await statusAfterRelease(filed)).toBe('active');
    expect(await statusAfterRelease(await byRuntime())).toBe('active');
  });

  it('is so by its writer where it was filed before that was written down', async () => {
    const { card_id: filed } = await lane.filing.file(failure('hut'), AGENT);
    const written = await byRuntime();
    await Promise.all([forget(filed), forget(written)]);
    expect(await statusAfterRelease(filed)).toBe('pending');
    expect(await statusAfterRelease(written)).toBe('active');
  });

  it('is so where it was deleted and restored meanwhile', async () => {
    const id = await byHand(agent);
    await lane.api.call('DELETE', `/v1/cards/${id}`, { key: lane.reviewer });
    expect((await decide(id, 'restore')).body.status).toBe('quarantined');
    expect(await statusAfterRelease(id)).toBe('pending');
  });
});

describe('a card that a person quarantined', () => {
  it.each([
    ['what it was', async () => {}],
    ['what its history says, where that was not written down', forget],
  ])('is %s', async (_, meanwhile) => {
    const id = await lane.filing.card(failure('barn', 'no rooms left'), AGENT);
    await decide(id, 'validation', { verdict: 'success' });
    await decide(id, 'quarantine');
    await meanwhile(id);
    expect(await statusAfterRelease(id)).toBe('validated');
    await decide(id, 'validation', { verdict: 'wrong' });
    await decide(id, 'quarantine');
    await meanwhile(id);
    expect(await statusAfterRelease(id)).toBe('rejected');
  });
});
