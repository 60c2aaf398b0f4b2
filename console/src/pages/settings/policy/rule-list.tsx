import { ActionIcon, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { RuleForm } from './rule-form';
import { type Rule, type RuleKind, sentenceOf } from './rules';

/** Rules as sentences, in the order in which they are looked at. */
export function RuleList({
  kind,
  label,
  value,
  mayChange,
  change,
}: {
  kind: RuleKind;
  label: string;
  value: unknown;
  mayChange: boolean;
  change(rules: Rule[]): void;
}) {
  const rules = Array.isArray(value) ? (value as Rule[]) : [];
  const [edited, setEdited] = useState<number | 'new' | null>(null);
  const swap = (at: number, to: number) => {
    const next = [...rules];
    const [one, other] = [rules[at], rules[to]];
    if (one === undefined || other === undefined) return;
    next[at] = other;
    next[to] = one;
    change(next);
  };
  return (
    <Stack gap="xs">
      {rules.length === 0 && (
        <Text size="sm" c="dimmed">
          No rule.
        </Text>
      )}
      <List
        type="ordered"
        spacing={6}
        size="sm"
        styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
      >
        {rules.map((rule, at) => {
          const name = `rule ${at + 1}`;
          return (
            <List.Item key={`${at} ${JSON.stringify(rule)}`}>
              <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
                <Text span size="sm" className="told" style={{ flex: '1 1 auto', minWidth: 0 }}>
                  {sentenceOf(kind, rule)}
                </Text>
                {mayChange && (
                  <Group gap={2} wrap="nowrap">
                    <Tool
                      label={`Move ${name} of ${label} up`}
                      icon={IconArrowUp}
                      off={at === 0}
                      act={() => swap(at, at - 1)}
                    />
                    <Tool
                      label={`Move ${name} of ${label} down`}
                      icon={IconArrowDown}
                      off={at === rules.length - 1}
                      act={() => swap(at, at + 1)}
                    />
                    <Tool
                      label={`Change ${name} of ${label}`}
                      icon={IconPencil}
                      act={() => setEdited(at)}
                    />
                    <Tool
                      label={`Remove ${name} of ${label}`}
                      icon={IconTrash}
                      act={() => change(rules.filter((_, one) => one !== at))}
                    />
                  </Group>
                )}
              </Group>
            </List.Item>
          );
        })}
      </List>
      {mayChange && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setEdited('new')}
          aria-label={`Add a rule to ${label}`}
        >
          Add a rule
        </Button>
      )}
      {edited !== null && (
        <RuleForm
          kind={kind}
          rule={edited === 'new' ? null : (rules[edited] ?? null)}
          close={() => setEdited(null)}
          save={(rule) =>
            change(
              edited === 'new'
                ? [...rules, rule]
                : rules.map((one, at) => (at === edited ? rule : one)),
            )
          }
        />
      )}
    </Stack>
  );
}

function Tool({
  label,
  icon: Icon,
  off = false,
  act,
}: {
  label: string;
  icon: typeof IconPencil;
  off?: boolean;
  act(): void;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      disabled={off}
      onClick={act}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  );
}
