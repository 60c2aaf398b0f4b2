import { PassThrough } from 'node:stream';
import { runCairn } from '../src/cli/run';
import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const INVALID_PARAMS = -32602;

interface Fault {
  code: number;
  message: string;
}

const WRONG: [string, string, unknown, string][] = [
  ['arguments in a list', 'tools/call', { name: 'read_notes', arguments: [] }, 'one object'],
  ['arguments as text', 'tools/call', { name: 'note', arguments: '{"key":"x"}' }, 'one object'],
  ['arguments as a number', 'tools/call', { name: 'note', arguments: 7 }, 'one object'],
  ['no arguments but null', 'tools/call', { name: 'read_notes', arguments: null }, 'left out'],
  ['no name', 'tools/call', { arguments: { query: 'x' } }, 'the name of a tool'],
  ['a name that is no text', 'tools/call', { name: 7, arguments: {} }, 'the name of a tool'],
  ['a name that no tool has', 'tools/call', { name: 'memory_forget' }, 'there is no such tool'],
  ['a name of every object', 'tools/call', { name: 'constructor' }, 'there is no such tool'],
  ['nothing at all', 'tools/call', undefined, 'params: must be {"name"'],
  ['a cursor that is no text', 'tools/list', { cursor: 7 }, 'params.cursor'],
  ['no capabilities', 'initialize', { protocolVersion: '2025-06-18' }, 'params.capabilities'],
];

/** One sentence on one line, and nothing of a validator or a stack. */
function expectSentence(message: string, says: string): void {
  expect(message).toContain(says);
  expect(message).not.toMatch(/[\n\r]|"code":|invalid_type|expected|\bat .*:\d+/i);
  expect(message.length).toBeLessThan(200);
}

describe('over HTTP', () => {
  it.each(WRONG)(
    '%s: %s is refused for its parameters, in words',
    async (_, method, params, says) => {
      const body = { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) };
      const answer = await api.call('POST', '/mcp', { key: fleet.planner, body });
      expect([answer.status, answer.body.id, answer.body.error?.code]).toEqual([
        200,
        1,
        INVALID_PARAMS,
      ]);
      expectSentence(answer.body.error.message, says);
    },
  );

  it('a call as it has to be is answered, without arguments too', async () => {
    for (const more of [{}, { arguments: {} }, { _meta: { progressToken: 1 } }]) {
      const params = { name: 'read_notes', ...more };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const answer = await api.call('POST', '/mcp', { key: fleet.planner, body });
      expect([answer.status, answer.body.result?.isError ?? false]).toEqual([200, false]);
      expect(answer.body.result.structuredContent.notes).toEqual([]);
    }
  });
});

describe('over stdio', () => {
  /** The command as a shell runs it, in this process, until its input ends. */
  async function answered(lines: readonly object[]): Promise<{ id: number; error?: Fault }[]> {
    const [out, err] = [new PassThrough(), new PassThrough()];
    let said = '';
    out.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    err.resume();
    const input = new PassThrough();
    for (const line of lines) input.write(`${JSON.stringify(line)}\n`);
    input.end();
    const terminal = { out, err, input };
    const code = await runCairn(['mcp'], terminal, {
      CAIRN_URL: api.url,
      CAIRN_KEY: fleet.planner,
    });
    expect(code).toBe(0);
    return said
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  it('the same calls are refused in the same words', async () => {
    const answers = await answered(
      WRONG.map(([, , params], at) => ({
        jsonrpc: '2.0',
        id: at,
        method: WRONG[at]?.[1],
        ...(params === undefined ? {} : { params }),
      })),
    );
    expect(answers).toHaveLength(WRONG.length);
    for (const { id, error } of answers) {
      expect([WRONG[id]?.[0], error?.code]).toEqual([WRONG[id]?.[0], INVALID_PARAMS]);
      expectSentence(error?.message ?? '', WRONG[id]?.[3] ?? '');
    }
  });
});
