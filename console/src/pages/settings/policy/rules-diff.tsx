import { Stack, Text, VisuallyHidden } from '@mantine/core';
import { diffArrays } from 'diff';
import { type Rule, type RuleKind, sentenceOf } from './rules';

const SIGNS = {
  came: { sign: '+', says: 'New: ', color: 'var(--mantine-color-green-light-color)' },
  went: { sign: '−', says: 'Gone: ', color: 'var(--mantine-color-red-light-color)' },
  stays: { sign: ' ', says: '', color: 'var(--mantine-color-dimmed)' },
} as const;

/** Two lists of rules in one, rule by rule: which go, which come, which stay where they were. */
export function RulesDiff({
  kind,
  before,
  after,
}: {
  kind: RuleKind;
  before: unknown;
  after: unknown;
}) {
  const lines = diffArrays(sentences(kind, before), sentences(kind, after)).flatMap(
    ({ added, removed, value }) =>
      value.map((line) => ({
        line,
        way: added ? ('came' as const) : removed ? ('went' as const) : ('stays' as const),
      })),
  );
  if (lines.length === 0) return <Text size="sm">no rule</Text>;
  return (
    <Stack gap={4}>
      {lines.map(({ line, way }, at) => (
        <Text
          key={`${at} ${line}`}
          size="sm"
          className="told"
          c={SIGNS[way].color}
          pl={18}
          style={{ textIndent: -18 }}
        >
          <span aria-hidden style={{ display: 'inline-block', width: 18, textIndent: 0 }}>
            {SIGNS[way].sign}
          </span>
          {SIGNS[way].says !== '' && <VisuallyHidden>{SIGNS[way].says}</VisuallyHidden>}
          <span style={{ textDecoration: way === 'went' ? 'line-through' : undefined }}>
            {line}
          </span>
        </Text>
      ))}
    </Stack>
  );
}

function sentences(kind: RuleKind, rules: unknown): string[] {
  return Array.isArray(rules) ? rules.map((rule) => sentenceOf(kind, rule as Rule)) : [];
}
