import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Command } from 'commander';
import { TOOL_ROUTES } from '../src/api/mcp/tool-routes';
import { toolNamed } from '../src/api/mcp/tools';
import { bothSlashes, MEMORY_PATHS, UNSUPPORTED_PATHS } from '../src/api/memories/rules';
import { type Hat, ROUTE_RULES } from '../src/api/roles';
import { COMMAND_ROUTES } from '../src/cli/command-routes';
import { buildProgram } from '../src/cli/program';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { Insights, OVERTIME } from './support/insights';
import { McpSession } from './support/mcp';

let api: TestApi;
let dir: string;
beforeAll(async () => {
  api = await startApi();
  dir = mkdtempSync(join(tmpdir(), 'cairn-policy-of-all-'));
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

/** They need no key. */
const OPEN = ['GET /healthz', 'GET /readyz', 'GET /metrics', 'POST /v1/session'];
const KNOWN = [...Object.keys(ROUTE_RULES), ...OPEN];

describe('a route', () => {
  const HATS: readonly Hat[] = [
    ...(['owner', 'operator', 'reviewer', 'auditor', 'member'] as const),
    ...(['agent', 'runtime', 'installation'] as const),
  ];

  it('says who may use it, and what a restricted agent and a stopped one meet', () => {
    for (const [route, { access, who, ...more }] of Object.entries(ROUTE_RULES)) {
      expect([route, who.length]).not.toEqual([route, 0]);
      expect([route, who.filter((hat) => !HATS.includes(hat))]).toEqual([route, []]);
      expect([route, new Set(who).size]).toEqual([route, who.length]);
      expect(['read', 'write', 'held']).toContain(access);
      // Whoever reports a batch is told for each of its items; nothing else goes past a stop.
      expect([route, more]).toEqual([
        route,
        route === 'POST /v1/events' ? { stopsByItem: true } : {},
      ]);
    }
  });

  it('that changes something is no read', () => {
    const reading = [
      ...['POST /v1/recall', 'POST /v1/policy/preview', 'POST /mcp', 'DELETE /mcp'],
      'POST /v1/erasures/verify',
      // mem0's clients search and list by POST, and what is not supported does nothing.
      ...[...MEMORY_PATHS.search, ...MEMORY_PATHS.listByPost].flatMap(bothSlashes),
      ...Object.keys(UNSUPPORTED_PATHS).flatMap(bothSlashes),
    ];
    for (const [route, { access }] of Object.entries(ROUTE_RULES)) {
      const isRead = route.startsWith('GET ') || reading.includes(route);
      expect([route, access === 'read']).toEqual([route, isRead]);
    }
  });

  it('is served, each one that has a rule', () => {
    for (const route of Object.keys(ROUTE_RULES)) {
      const [method = '', url = ''] = route.split(' ');
      expect([route, api.app.hasRoute({ method: method as 'GET', url })]).toEqual([route, true]);
    }
  });
});

describe('a tool', () => {
  /** Each way of calling it that goes by a rule of its own. */
  const CALLS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
    memory_search: [{ query: 'x' }],
    search_memories: [{ query: 'x' }],
    memory_manage: [
      { action: 'save', text: 'x' },
      { action: 'update', id: 'c', text: 'x' },
      { action: 'delete', id: 'c' },
    ],
    add_memory: [{ text: 'x' }],
    note: [{ key: 'k' }, { key: 'k', value: 'v' }, { key: 'k', delete: true }],
    read_notes: [{}],
    discover_skills: [{ query: 'x' }],
    load_skill: [{ name: 'k' }],
    validate: [{ id: 'c', verdict: 'success' }],
    share: [{ id: 'c', agent: 'a' }],
    unshare: [{ id: 'c', agent: 'a' }],
  };

  it('has its routes in the table, and the table has no other tool', async () => {
    const session = await McpSession.http(api, api.ownerKey, { 'cairn-agent': 'somebody' });
    expect((await session.tools()).sort()).toEqual(Object.keys(TOOL_ROUTES).sort());
    await session.close();
  });

  it.each(Object.keys(TOOL_ROUTES))('%s goes by the rules of those routes and no other', (name) => {
    const tool = toolNamed(name);
    if (tool === undefined) throw new Error('there is no such tool');
    const used = [
      tool.rule,
      ...(tool.reading === null ? [] : [tool.reading.rule]),
      ...(CALLS[name] ?? []).map((args) => tool.call(args).rule),
    ];
    expect([...new Set(used)].sort()).toEqual([...(TOOL_ROUTES[name] ?? [])].sort());
    for (const route of used) expect(Object.keys(ROUTE_RULES)).toContain(route);
  });
});

/** Every command that does something, by what one types. */
function commandsOf(command: Command, path = ''): string[] {
  const name = `${path}${command.name()}`;
  // Commander shows nowhere whether a command with subcommands does something by itself.
  const { _actionHandler: action } = command as unknown as { _actionHandler: unknown };
  return [
    ...(typeof action === 'function' ? [name] : []),
    ...command.commands.flatMap((one) => commandsOf(one as Command, `${name} `)),
  ];
}

const programOf = () =>
  buildProgram({
    options: () => {
      throw new Error('nothing is run');
    },
    terminal: { out: new PassThrough(), err: new PassThrough(), input: Readable.from([]) },
    exit: 0,
  });

const routesOf = (command: string): readonly string[] => {
  const entry = COMMAND_ROUTES[command];
  return entry === undefined || 'local' in entry ? [] : entry;
};

describe('a command', () => {
  it('has its routes in the table, and the table has no other command', () => {
    expect(commandsOf(programOf()).sort()).toEqual(Object.keys(COMMAND_ROUTES).sort());
  });

  it('names routes that there are', () => {
    const unknown = Object.keys(COMMAND_ROUTES).flatMap((command) =>
      routesOf(command)
        .filter((route) => !KNOWN.includes(route))
        .map((route) => `${command}: ${route}`),
    );
    expect(unknown).toEqual([]);
  });

  it('says what it does where it asks no route', () => {
    for (const [command, entry] of Object.entries(COMMAND_ROUTES)) {
      if ('local' in entry) expect([command, entry.local.length]).not.toEqual([command, 0]);
      else expect([command, entry.length]).not.toEqual([command, 0]);
    }
  });

  it('can be run whole by somebody: with the owner key of the installation at least', () => {
    const worn: readonly Hat[] = ['owner', 'runtime', 'installation'];
    for (const command of Object.keys(COMMAND_ROUTES)) {
      const shut = routesOf(command).filter(
        (route) =>
          !OPEN.includes(route) && !ROUTE_RULES[route]?.who.some((hat) => worn.includes(hat)),
      );
      expect([command, shut]).toEqual([command, []]);
    }
  });
});

describe('what a command really asks', () => {
  /** How each is typed; of those that end by themselves on an API without workers. */
  const RUNS: Readonly<Record<string, readonly string[]>> = {
    'cairn import': ['import', 'EVENTS', '--no-wait'],
    'cairn export': ['export', 'EVERYTHING'],
    'cairn recall': ['recall', 'anything'],
    'cairn cards': ['cards'],
    'cairn cards show': ['cards', 'show', 'CARD'],
    'cairn why': ['why', 'CARD'],
    'cairn overview': ['overview', '--days', '30'],
    'cairn models': ['models'],
    'cairn competence': ['competence', '--agent', 'scout', '--task-type', 'row', '--team', 'red'],
    'cairn skills list': ['skills'],
    'cairn skills show': ['skills', 'show', 'row'],
    'cairn skills diff': ['skills', 'diff', 'row'],
    'cairn skills test': ['skills', 'test', 'row', '1'],
    'cairn skills rollback': ['skills', 'rollback', 'row'],
    'cairn skills deprecate': ['skills', 'deprecate', 'row'],
    'cairn skills import': ['skills', 'import', 'SKILL', '--workspace'],
    'cairn skills export': ['skills', 'export', 'row'],
    'cairn conversations list': ['conversations'],
    'cairn conversations show': ['conversations', 'show', 'TALK'],
    'cairn conversations context': ['conversations', 'context', 'TALK', '--as', 'scout'],
    'cairn runs list': ['runs'],
    'cairn runs show': ['runs', 'show', 'op_x'],
    'cairn runs start': ['runs', 'start', 'retention', '--dry-run'],
    'cairn runs rescan': ['runs', 'rescan', '--dry-run'],
    'cairn runs pause': ['runs', 'pause', 'op_x'],
    'cairn runs resume': ['runs', 'resume', 'op_x'],
    'cairn runs cancel': ['runs', 'cancel', 'op_x'],
    'cairn runs undo': ['runs', 'undo', 'op_x'],
    'cairn timeline': ['timeline', 'capture/default/row'],
    'cairn inbox': ['inbox'],
    'cairn approve': ['approve', 'prop_x'],
    'cairn reject': ['reject', 'prop_x'],
    'cairn promote': ['promote', 'CARD', '--workspace'],
    'cairn demote': ['demote', 'CARD'],
    'cairn fixes list': ['fixes'],
    'cairn fixes applied': ['fixes', 'applied', 'fix_x'],
    'cairn pending list': ['pending'],
    'cairn pending show': ['pending', 'show', 'pend_x'],
    'cairn pending accept': ['pending', 'accept', 'pend_x'],
    'cairn pending reject': ['pending', 'reject', 'pend_x'],
    'cairn stop': ['stop', '--find', 'service:nowhere'],
    'cairn stop card': ['stop', 'card', 'CARD'],
    'cairn stop agent': ['stop', 'agent', 'scout'],
    'cairn stop source': ['stop', 'source', 'service:nowhere'],
    'cairn stop list': ['stop', 'list'],
    'cairn policy show': ['policy', 'show'],
    'cairn policy preview': ['policy', 'preview', 'POLICY'],
    'cairn policy set': ['policy', 'set', 'POLICY'],
    'cairn audit list': ['audit', 'list'],
    'cairn audit verify': ['audit', 'verify'],
    'cairn audit export': ['audit', 'export', 'EXPORT'],
    'cairn whoami': ['whoami'],
    'cairn keys list': ['keys'],
    'cairn keys create': ['keys', 'create', 'runtime', 'ci'],
    'cairn keys rotate': ['keys', 'rotate', 'key_x'],
    'cairn keys revoke': ['keys', 'revoke', 'key_x'],
    'cairn erase': ['erase', '--subject', 'nobody', '--yes', '--no-wait'],
    'cairn erasure list': ['erasure'],
    'cairn erasure show': ['erasure', 'show', 'ers_x'],
    'cairn erasure verify': ['erasure', 'verify', 'RECEIPT'],
    'cairn tombstones export': ['tombstones', 'export', 'TOMBSTONES'],
    'cairn tombstones apply': ['tombstones', 'apply', 'TOMBSTONES'],
    'cairn holds list': ['holds'],
    'cairn holds set': ['holds', 'set', 'h', '--subject', 'nobody', '--reason', 'none'],
    'cairn holds lift': ['holds', 'lift', 'h'],
    'cairn insights list': ['insights'],
    'cairn insights show': ['insights', 'show', 'INSIGHT'],
    'cairn insights save': ['insights', 'save', 'FINDING', '--as', 'scout'],
    'cairn insights take': ['insights', 'take', 'INSIGHT', 'ACTION'],
    'cairn insights measure': ['insights', 'measure', 'INSIGHT', 'ACTION'],
    'cairn insights extend': ['insights', 'extend', 'INSIGHT', 'ACTION', '--window', 'P90D'],
    'cairn insights cancel': ['insights', 'cancel', 'INSIGHT', 'ACTION'],
    'cairn insights outcome': ['insights', 'outcome', 'INSIGHT', 'ACTION', 'improved'],
    'cairn actions list': ['actions'],
    'cairn actions block': ['actions', 'block', '0'.repeat(64)],
    'cairn actions unblock': ['actions', 'unblock', '0'.repeat(64)],
    'cairn metrics list': ['metrics'],
    'cairn metrics push': ['metrics', 'push', 'NUMBER'],
    'cairn webhook put': [
      ...['webhook', 'put', 'w', '--url', 'https://hooks.example.com/x'],
      ...['--event', 'run.failed'],
    ],
    'cairn webhook list': ['webhook', 'list'],
    'cairn webhook deliveries': ['webhook', 'deliveries', 'w'],
    'cairn webhook ping': ['webhook', 'ping', 'w'],
    'cairn webhook retry': ['webhook', 'retry', 'w', '1'],
    'cairn webhook delete': ['webhook', 'delete', 'w'],
    'cairn doctor': ['doctor'],
  };
  /** They serve, wait for a worker, or speak for as long as somebody listens. */
  const LASTING = [
    'cairn start',
    'cairn server',
    'cairn worker',
    'cairn mcp',
    'cairn sample',
    'cairn sample insights',
    'cairn simulate',
    'cairn audit seal',
  ];

  it('is looked at for every command that ends by itself', () => {
    expect([...Object.keys(RUNS), ...LASTING].sort()).toEqual(Object.keys(COMMAND_ROUTES).sort());
  });

  const patterns = KNOWN.map((route) => {
    const [method = '', url = ''] = route.split(' ');
    return { route, method, url: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`) };
  });

  /** The most literal route that fits: `/v1/audit/seals` is no `/v1/audit/:id`. */
  function routeOf(method: string, path: string): string {
    const fits = patterns.filter((one) => one.method === method && one.url.test(path));
    const [best] = fits.sort((a, b) => a.route.split(':').length - b.route.split(':').length);
    return best?.route ?? `${method} ${path}`;
  }

  const files: Record<string, string> = {};
  let cardId: string;
  beforeAll(async () => {
    await api.call('PUT', '/v1/agents/scout', { body: {} });
    files.EVENTS = join(dir, 'events.jsonl');
    files.POLICY = join(dir, 'policy.json');
    files.SKILL = join(dir, 'SKILL.md');
    writeFileSync(files.SKILL, '---\nname: row\ndescription: Rows.\n---\n\nRow.\n');
    files.EXPORT = join(dir, 'audit.jsonl');
    files.FINDING = join(dir, 'finding.json');
    files.NUMBER = join(dir, 'number.json');
    writeFileSync(files.FINDING, JSON.stringify(OVERTIME));
    writeFileSync(files.NUMBER, '{"name": "covers", "value": 80}');
    files.EVERYTHING = join(dir, 'export.ndjson');
    files.TOMBSTONES = join(dir, 'tombstones.json');
    files.RECEIPT = join(dir, 'receipt.json');
    writeFileSync(files.RECEIPT, '{}');
    const event = {
      event_id: 'one',
      kind: 'observation',
      agent: 'scout',
      outcome: 'neutral',
      occurred_at: '2026-03-02T08:24:15Z',
      text: 'Seen.',
    };
    writeFileSync(files.EVENTS, JSON.stringify(event));
    writeFileSync(files.POLICY, '{"strikes": {"count": 4}}');
    const body = { summary: 'Seen.', scope: { type: 'agent', id: 'scout' } };
    cardId = (await api.call('POST', '/v1/cards', { body })).body.id;
    files.TALK = 'talk';
    const headers = { 'cairn-agent': 'scout' };
    await api.call('PUT', '/v1/conversations/talk', { body: {}, headers });
    const insight = await new Insights(api).for('scout').saved();
    files.INSIGHT = insight.id;
    files.ACTION = insight.actions[0]?.id ?? '';
  });

  it.each(Object.keys(RUNS))('%s', async (command) => {
    const asked = new Set<string>();
    const real = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      asked.add(routeOf(init?.method ?? 'GET', url.pathname));
      return await real(input, init);
    };
    try {
      const named = (word: string) => (word === 'CARD' ? cardId : (files[word] ?? word));
      const args = (RUNS[command] ?? []).map(named);
      const environment = { CAIRN_DATA_DIR: dir, CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
      await runCommand(args, environment);
    } finally {
      globalThis.fetch = real;
    }
    expect([...asked].length).toBeGreaterThan(0);
    expect([...asked].filter((route) => !routesOf(command).includes(route))).toEqual([]);
  });
});
