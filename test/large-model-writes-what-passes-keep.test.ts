import { readOptions } from '../src/config/options';
import {
  configuredDistiller,
  configuredFailureReflector,
  configuredReflector,
  configuredSkillWriter,
  configuredWisdomWriter,
} from '../src/models/configured';

const clock = () => new Date('2026-03-02T08:00:00Z');
const PASSES = [
  configuredWisdomWriter,
  configuredReflector,
  configuredSkillWriter,
  configuredFailureReflector,
];

const modelsOf = (environment: Record<string, string>) => {
  const options = readOptions(environment);
  return {
    passes: [...new Set(PASSES.map((configured) => configured(options, clock)?.model ?? null))],
    cards: configuredDistiller(options, clock)?.model ?? null,
  };
};
const endpoint = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };

it.each([
  [{}, null, null],
  [{ CAIRN_MODEL: 'large' }, null, null],
  [endpoint, null, null],
  [{ ...endpoint, CAIRN_MODEL: 'large' }, 'large', 'large'],
  [{ ...endpoint, CAIRN_MODEL_SMALL: 'small' }, 'small', 'small'],
  [{ ...endpoint, CAIRN_MODEL: 'large', CAIRN_MODEL_SMALL: 'small' }, 'large', 'small'],
] as [Record<string, string>, string | null, string | null][])(
  'with %p passes ask %p and captures %p',
  (environment, passes, cards) => {
    expect(modelsOf(environment)).toEqual({ passes: [passes], cards });
  },
);

it('each names its prompt, and no two the same one', () => {
  const options = readOptions({ ...endpoint, CAIRN_MODEL: 'large' });
  const prompts = PASSES.map((configured) => configured(options, clock)?.promptVersion);
  expect(new Set(prompts).size).toBe(PASSES.length);
  expect(prompts).not.toContain(undefined);
});
