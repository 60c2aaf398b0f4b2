/**
 * One project for every lane: a test asks test/support for the servers it needs, so a run of one
 * pure test file costs no Temporal and no model. See CONTRIBUTING.md, "Tests".
 *
 * @type {import('jest').Config}
 */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript' },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/tally-reporter.js'],
  // A first start of a Temporal server on a busy two-core machine has taken 20 s; 60 is that, tripled.
  testTimeout: 60_000,
  // Two cores are what CI has, and each worker may hold a Temporal server of its own.
  maxWorkers: 2,
  // Each file loads its modules anew, and a process keeps some of them: after two hundred files one had run out of
  // memory. Long before that, with 16 MB of compiled code (after five files of the API), V8 stops to optimize
  // regular expressions, and what redacts or distills takes ten times as long. A new process costs a quarter of a second.
  workerIdleMemoryLimit: '200MB',
};
