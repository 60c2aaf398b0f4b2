import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { IconPencil, IconPin } from '@tabler/icons-react';
import { useId } from 'react';
import { FieldInput, WIDE } from './field-input';
import { FIELDS } from './fields';
import { type PolicyPath, same } from './paths';
import classes from './policy.module.css';
import { inWords } from './words';

/** A field: what it is for, its default, whether it was changed, and its control. */
export function FieldRow({
  path,
  stored,
  fallback,
  value,
  mayChange,
  change,
  takeBack,
}: {
  path: PolicyPath;
  /** What holds now. */
  stored: unknown;
  /** The default. */
  fallback: unknown;
  /** What the form says. */
  value: unknown;
  mayChange: boolean;
  change(value: unknown): void;
  takeBack(): void;
}) {
  const id = useId();
  const field = FIELDS[path];
  const isWide = WIDE.includes(field.as);
  const isChanged = !same(stored, value);
  const isOwn = !same(fallback, value);
  return (
    <Group
      className={classes.row}
      data-changed={isChanged}
      data-path={path}
      align="flex-start"
      justify="space-between"
      gap="sm"
    >
      <Box style={{ flex: isWide ? '1 1 100%' : '1 1 300px', minWidth: 0 }}>
        <Group gap={6}>
          {isWide ? (
            <Text size="sm" fw={600}>
              {field.label}
            </Text>
          ) : (
            <Text component="label" htmlFor={id} size="sm" fw={600}>
              {field.label}
            </Text>
          )}
          {isChanged ? (
            <Badge
              size="sm"
              variant="light"
              color="yellow"
              tt="none"
              leftSection={<IconPencil size={11} aria-hidden />}
            >
              changed, not saved
            </Badge>
          ) : (
            isOwn && (
              <Badge
                size="sm"
                variant="light"
                color="blue"
                tt="none"
                leftSection={<IconPin size={11} aria-hidden />}
              >
                set here
              </Badge>
            )
          )}
        </Group>
        <Text size="sm" c="dimmed" id={`${id}-says`}>
          {field.says}
        </Text>
        <Group gap={8} mt={2}>
          <Text size="xs" c="dimmed" className="told">
            {field.as === 'rules'
              ? `Default: ${Array.isArray(fallback) && fallback.length > 0 ? `${fallback.length} rules` : 'no rule'}`
              : field.as === 'named'
                ? `Default: ${Object.keys(fallback as object).length} of them`
                : `Default: ${inWords(field, fallback)}`}
            {isChanged && field.as !== 'rules' && field.as !== 'named'
              ? ` · holds now: ${inWords(field, stored)}`
              : ''}
          </Text>
          {mayChange && isChanged && (
            <Button size="compact-xs" variant="subtle" onClick={takeBack}>
              Take back
            </Button>
          )}
          {mayChange && isOwn && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() => change(fallback)}
              aria-label={`${field.label}: back to the default`}
            >
              Back to the default
            </Button>
          )}
        </Group>
      </Box>
      <fieldset
        disabled={!mayChange}
        className={classes.control}
        data-wide={isWide}
        aria-label={field.label}
      >
        <FieldInput id={id} field={field} value={value} mayChange={mayChange} change={change} />
      </fieldset>
    </Group>
  );
}
