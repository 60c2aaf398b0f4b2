import { Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page with its own heading and actions. */
export function Panel({
  title,
  says,
  actions,
  children,
}: {
  title: string;
  says?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Group justify="space-between" align="flex-start" mb="sm" gap="xs">
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          {says !== undefined && (
            <Text component="div" size="xs" c="dimmed">
              {says}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Paper>
  );
}
