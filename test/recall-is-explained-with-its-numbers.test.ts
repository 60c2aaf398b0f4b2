import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VIAS } from '../src/contracts/names';
import { DROP_REASONS } from '../src/contracts/recall';
import { FOLD_SIMILARITY } from '../src/domain/fold';
import { ARM_SPREAD, LEAST_COSINE } from '../src/domain/fuse';
import { RELEVANT_SHARE } from '../src/domain/pinned-warning';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { CONFIDENCE_TIE } from '../src/domain/resolve';
import { BM25_B, BM25_K1 } from '../src/domain/terms';

const page = readFileSync(join(__dirname, '..', 'docs', 'recall.md'), 'utf8');
const { recall, resolve, limits } = DEFAULT_POLICY;
const { weights } = recall;

it.each(Object.entries(weights.arms))(
  'docs/recall.md gives the %s arm its weight',
  (arm, weight) => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${arm} |`));
    const { spread } = ARM_SPREAD[arm as keyof typeof ARM_SPREAD];
    const [, , , told, deviation] = row?.split('|').map((cell) => cell.trim()) ?? [];
    expect(told).toBe(String(weight));
    expect(Number.parseFloat(deviation ?? '')).toBe(spread);
  },
);

it.each([
  `k1 ${BM25_K1}, b ${BM25_B}`,
  `${limits.recall_candidates / 2} cards each`,
  `cosine below ${LEAST_COSINE}`,
  `1 + ${weights.uses} · ln`,
  `/ ${weights.recency_days}), at least ${weights.recency_floor}`,
  `failed ${weights.failed_acting} when acting, worked ${weights.signs.worked}`,
  `person ${weights.trust.person}, runtime ${weights.trust.runtime}, agent ${weights.trust.agent}, web ${weights.trust.web}`,
  `${weights.contradiction} on both ends`,
  `${weights.intent} for the kinds that fit`,
  `act → ${weights.intents.act.join(', ')}; plan → ${weights.intents.plan.join(', ')}; look_up → ${weights.intents.look_up.join(', ')}`,
  `${weights.episodic.similarity} · cosine + ${weights.episodic.recency} · e^(−${weights.episodic.decay_per_hour} · hours)`,
  `\`resolve.tie\` (${resolve.tie})`,
  `by more than ${CONFIDENCE_TIE}`,
  `${FOLD_SIMILARITY} alike`,
  `${RELEVANT_SHARE * 100} %`,
  `\`limit\` (${recall.limit})`,
  `${recall.budget_tokens.toLocaleString('en')} tokens`,
])('docs/recall.md says: %s', (words) => {
  expect(page.replace(/\s+/g, ' ')).toContain(words);
});

it('docs/recall.md names every way to see a card and every reason to leave one out', () => {
  for (const via of VIAS) expect(page).toContain(`**${via}**`);
  const reasons = DROP_REASONS.filter((reason) => !page.includes(`\`${reason}\``));
  expect(reasons).toEqual([]);
});
