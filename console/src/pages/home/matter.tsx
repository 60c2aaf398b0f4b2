import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import type { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './matter.module.css';

/** Something that waits, how much of it, and where it is dealt with. */
export function Matter({
  icon: Icon,
  color,
  count,
  title,
  says,
  act,
}: {
  icon: typeof IconInbox;
  color: string;
  count: number;
  title: string;
  says?: ReactNode;
  act: ReactNode;
}) {
  return (
    <li className={classes.matter}>
      <ThemeIcon variant="light" color={color} size={36} radius="md" aria-hidden>
        <Icon size={20} stroke={1.6} />
      </ThemeIcon>
      <Stack gap={2} style={{ minWidth: 0, flex: '1 1 220px' }}>
        <Text size="sm" fw={600}>
          <span className="numbers">{count.toLocaleString()}</span> {title}
        </Text>
        {says !== undefined && (
          <Text component="div" size="xs" c="dimmed">
            {says}
          </Text>
        )}
      </Stack>
      <Group gap="xs">{act}</Group>
    </li>
  );
}
