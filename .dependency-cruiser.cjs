/**
 * The arrows between the zones of src (docs: design, "Zones"). Run through scripts/zones.mjs, which
 * drops what is imported as a type where a rule says `dependencyTypesNot: ['type-only']`.
 *
 * A zone's rule names what it may import; everything else in src is forbidden to it. To add an arrow,
 * change the design first.
 */

/** What every zone may import, but for the pure ones, which have stricter rules below. */
const COMMON = ['contracts', 'domain', 'config', 'telemetry'];

/** Programs' entry points: the only places that construct pools, models, clients and options. */
const ENTRY_POINTS = '^src/(api|worker|embedded|cli)/main\\.ts$';

function zone(name, mayImport, comment) {
  const allowed = [name, ...mayImport].join('|');
  return {
    name: `${name}-imports-only-${mayImport.join('-') || 'itself'}`,
    comment,
    severity: 'error',
    from: { path: `^src/${name}/` },
    // Who may reach the one file that downloads has a rule of its own: one-file-downloads.
    to: { path: '^src/', pathNot: `^src/(${allowed})/|^src/embedded/fetch\\.ts$` },
  };
}

module.exports = {
  forbidden: [
    zone(
      'contracts',
      [],
      'Every zone and the published client read the contracts: what they import, all of them import.',
    ),
    zone(
      'domain',
      ['contracts'],
      'The rules of memory are pure, so that a property test can run them a thousand times and replay never differs.',
    ),
    zone(
      'workflows',
      ['contracts', 'domain', 'activities'],
      'A workflow runs in a sandbox that knows no Node; what it imports is bundled and cached per workflow.',
    ),
    zone(
      'activities',
      [...COMMON, 'intake', 'store', 'models', 'schemas', 'redaction'],
      'Activities are the effects of workflows; one that reached into api or worker could not run in a runtime that only records events.',
    ),
    zone(
      'store',
      COMMON,
      'Postgres knows nobody above it: visibility is decided in SQL, not by who calls.',
    ),
    zone(
      'models',
      [...COMMON, 'schemas'],
      'A model is a port: it gets text and gives checked records, and never sees the database.',
    ),
    zone(
      'redaction',
      COMMON,
      'The scanner runs before anything is durable, so it must not be able to write.',
    ),
    zone(
      'intake',
      [...COMMON, 'redaction', 'schemas', 'store'],
      'There is one way in, and it serves the API and an exported activity alike: it may depend on neither.',
    ),
    zone(
      'schemas',
      COMMON,
      'Schemas restate the wire types; they decide nothing that needs a store or a model.',
    ),
    zone(
      'api',
      [...COMMON, 'intake', 'schemas', 'store', 'models', 'workflows'],
      'The edge authenticates, validates and records. Memory changes in workflows, so no activity is called from here.',
    ),
    zone(
      'worker',
      [...COMMON, 'workflows', 'activities', 'store', 'models'],
      'A worker runs without an API beside it, and scales alone.',
    ),
    zone(
      'client',
      ['contracts'],
      'The client is what others install: it brings types, and no server.',
    ),
    zone(
      'cli',
      [...COMMON, 'client', 'embedded', 'api', 'worker'],
      'A command talks to a server as anyone else would, or starts one; it has no way of its own into memory.',
    ),
    zone(
      'embedded',
      [...COMMON, 'store', 'models', 'api', 'worker'],
      'One machine is put together from the same parts as many: no behaviour of its own.',
    ),
    zone(
      'telemetry',
      COMMON,
      'Logs and metrics are read by all zones; an import back would be a circle.',
    ),
    zone('config', COMMON, 'Options are compiled before anything else exists.'),

    zone(
      'adapters/langgraph',
      ['contracts', 'client'],
      'It runs in somebody else’s program and speaks to Cairn as any client does; it brings types, and no server.',
    ),
    zone(
      'adapters/ai-sdk',
      ['contracts', 'client'],
      'It runs in somebody else’s program and speaks to Cairn as any client does; it brings types, and no server.',
    ),
    zone(
      'adapters/temporal',
      [...COMMON, 'intake', 'store', 'activities', 'client'],
      'A runtime of one’s own records events as the API does, by intake or over HTTP; it brings no server and no model.',
    ),
    {
      name: 'temporal-adapter-in-workflows-is-sandboxed',
      comment:
        'What a runtime imports into its workflows is bundled into each of them, and knows no Node.',
      severity: 'error',
      from: { path: '^src/adapters/temporal/workflow/' },
      to: { path: '^src/', pathNot: '^src/(adapters/temporal/workflow|contracts)/' },
    },

    {
      name: 'activities-in-workflows-are-types',
      comment: 'A value import would drag pg and openai into the sandbox and break the bundle.',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-in-api-are-types',
      comment: 'Workflows are started by name, so that an API process carries no sandbox code.',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: '^src/workflows/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'options-are-handed-down',
      comment:
        'Options are compiled once, at an entry point; whoever reads them elsewhere can see other ones in a test.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(config|cli)/|${ENTRY_POINTS}` },
      to: { path: '^src/config/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-file-downloads',
      comment: 'What reaches the network on its own is fetched, checked and named in one place.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/embedded/|${ENTRY_POINTS}` },
      to: { path: '^src/embedded/fetch\\.ts$' },
    },

    {
      name: 'sandbox-has-no-node',
      comment:
        'Temporal refuses Node builtins in a workflow, and a domain that reads a file or a clock is not pure.',
      severity: 'error',
      from: { path: '^src/(workflows|domain|contracts|adapters/temporal/workflow)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sandbox-has-no-servers',
      comment:
        'These weigh on every cached workflow (zod alone trebles one) and none of them can work there.',
      severity: 'error',
      from: { path: '^src/(workflows|domain|contracts|adapters/temporal/workflow)/' },
      to: {
        path: 'node_modules/(pg|openai|zod|fastify|pino|prom-client|umzug|@temporalio/(client|worker|activity))/',
      },
    },
    {
      name: 'domain-knows-no-temporal',
      comment: 'The rules must outlive the engine that calls them.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: 'node_modules/@temporalio/' },
    },
    {
      name: 'client-brings-nothing',
      comment: 'Whoever installs the client gets the platform’s fetch and our types.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: 'node_modules/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sql-lives-in-store',
      comment:
        'A second place with a connection is a second way to read a card. The embedded server may look after its own files.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(store|embedded)/|${ENTRY_POINTS}` },
      to: { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'model-calls-live-in-models',
      comment: 'Every model has a deterministic stand-in; a call elsewhere has none.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/models/' },
      to: { path: 'node_modules/openai/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflow-api-stays-in-the-sandbox',
      comment: 'Outside a workflow these functions throw, at run time and not before.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(workflows|adapters/temporal/workflow)/' },
      to: { path: 'node_modules/@temporalio/workflow/', dependencyTypesNot: ['type-only'] },
    },

    {
      name: 'server-knows-no-console',
      comment: 'The server serves files; which ones is up to the build.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^console/' },
    },

    {
      name: 'no-circles',
      comment: 'In a circle the order of loading decides what is undefined.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'imports-exist',
      comment:
        'A path or package that resolves to nothing is a typing mistake or a missing dependency.',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'sources-know-no-tests',
      comment: 'What ships must not need what does not.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'no-dev-dependencies-in-sources',
      comment:
        'An installed package has no dev dependencies; a framework that an adapter is for is there, as a peer.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
  ],
  options: {
    // TypeScript 7 has no API to parse with; swc reads the same sources.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      conditionNames: ['require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
