import {
  Button,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { DurationInput } from './duration-input';
import { readAt, writeAt } from './paths';
import { RULES, type Rule, type RuleField, type RuleKind, sentenceOf } from './rules';

/** One rule: what it looks at, and what then happens. */
export function RuleForm({
  kind,
  rule,
  save,
  close,
}: {
  kind: RuleKind;
  rule: Rule | null;
  save(rule: Rule): void;
  close(): void;
}) {
  const shape = RULES[kind];
  const [draft, setDraft] = useState<Rule>(rule ?? shape.begins);
  const set = (path: string, value: unknown) => setDraft((now) => writeAt(now, path, value));
  const names = shape.conditions.some(({ path }) => readAt(draft, path) !== undefined);
  const ready = kind === 'gate' || names;
  return (
    <Modal opened onClose={close} title={rule === null ? 'New rule' : 'Change the rule'} size="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          All that is filled in has to hold. What is left empty is not looked at
          {kind === 'gate' ? '.' : '; a text may end in * for whatever follows.'}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {shape.conditions.map((field) => (
            <RuleInput
              key={field.path}
              field={field}
              value={readAt(draft, field.path)}
              change={(value) => set(field.path, value)}
            />
          ))}
        </SimpleGrid>
        <RuleInput
          field={shape.outcome}
          value={readAt(draft, shape.outcome.path)}
          change={(value) => set(shape.outcome.path, value)}
          required
        />
        <Text size="sm" className="told">
          {sentenceOf(kind, draft)}
        </Text>
        <Button
          disabled={!ready}
          onClick={() => {
            save(kind === 'gate' ? draft : { match: {}, ...draft });
            close();
          }}
        >
          {rule === null ? 'Add the rule' : 'Keep the change'}
        </Button>
      </Stack>
    </Modal>
  );
}

function RuleInput({
  field,
  value,
  change,
  required = false,
}: {
  field: RuleField;
  value: unknown;
  /** Undefined: it is not looked at. */
  change(value: unknown): void;
  required?: boolean;
}) {
  const { label, as } = field;
  if (as === 'text') {
    return (
      <TextInput
        label={label}
        value={String(value ?? '')}
        onChange={(event) => change(event.currentTarget.value || undefined)}
      />
    );
  }
  if (as === 'number' || as === 'whole') {
    return (
      <NumberInput
        label={label}
        min={0}
        max={as === 'number' ? 1 : 1_000}
        step={as === 'number' ? 0.05 : 1}
        allowDecimal={as === 'number'}
        value={(value as number | undefined) ?? ''}
        onChange={(next) => change(next === '' ? undefined : next)}
      />
    );
  }
  if (as === 'duration') {
    return (
      <div>
        <Text component="label" htmlFor={field.path} size="sm" fw={500}>
          {label}
        </Text>
        <DurationInput id={field.path} label={label} value={value} change={change} />
      </div>
    );
  }
  const data =
    as === 'yes'
      ? [
          { value: 'true', label: 'yes' },
          { value: 'false', label: 'no' },
        ]
      : as.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }));
  return (
    <Select
      label={label}
      data={data}
      clearable={!required}
      allowDeselect={!required}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      placeholder={required ? 'choose' : 'any'}
      value={value === undefined ? null : String(value)}
      onChange={(next) => change(next === null ? undefined : as === 'yes' ? next === 'true' : next)}
    />
  );
}
