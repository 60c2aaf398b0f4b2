import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** A page's one heading, what it is for, and its actions at the right; it names the tab too. */
export function PageHead({
  title,
  tab = title,
  says,
  actions,
}: {
  title: ReactNode;
  tab?: ReactNode;
  says?: ReactNode;
  actions?: ReactNode;
}) {
  const name = typeof tab === 'string' ? tab : 'Cairn';
  useEffect(() => {
    document.title = `${name} · Cairn`;
  }, [name]);
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <Stack gap={2} style={{ minWidth: 0, flex: '1 1 280px' }}>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {says !== undefined && (
          <Text component="div" size="sm" c="dimmed">
            {says}
          </Text>
        )}
      </Stack>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
