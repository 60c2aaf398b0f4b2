import { Stack, Text, ThemeIcon } from '@mantine/core';
import { IconMoodEmpty } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Nothing is there: says why, and what to do next (`children`). */
export function Empty({
  title,
  icon: Icon = IconMoodEmpty,
  children,
}: {
  title: string;
  icon?: typeof IconMoodEmpty;
  children?: ReactNode;
}) {
  return (
    <Stack align="center" py="xl" gap="xs" ta="center">
      <ThemeIcon variant="light" color="gray" size={44} radius="xl" aria-hidden>
        <Icon size={24} stroke={1.5} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text component="div" size="sm" c="dimmed" maw={460}>
          {children}
        </Text>
      )}
    </Stack>
  );
}
