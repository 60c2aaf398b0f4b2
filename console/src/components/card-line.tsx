import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CardMarks, type Marked } from './card-marks';
import { AnchorLink } from './links';
import { When } from './when';

export interface ShownCard extends Marked {
  id: string;
  summary: string;
  recorded_at?: string;
  hints?: { service: string | null; operation: string | null };
}

/** A card in a list of few: its words lead to it. `aside` stands at the right. */
export function CardLine({
  card,
  lines = 3,
  aside,
}: {
  card: ShownCard;
  lines?: number;
  aside?: ReactNode;
}) {
  const where = [card.hints?.service, card.hints?.operation].filter(Boolean).join('.');
  return (
    <Group wrap="nowrap" align="flex-start" justify="space-between" gap="sm">
      <Stack gap={4} style={{ minWidth: 0 }}>
        <AnchorLink to="/cards/$id" params={{ id: card.id }} c="inherit" underline="hover">
          <Text span inherit lineClamp={lines} className="told">
            {card.summary}
          </Text>
        </AnchorLink>
        <Group gap="xs">
          <CardMarks card={card} />
          {where !== '' && (
            <Text size="xs" c="dimmed" ff="monospace">
              {where}
            </Text>
          )}
          {card.recorded_at !== undefined && (
            <Text size="xs" c="dimmed">
              <When at={card.recorded_at} />
            </Text>
          )}
        </Group>
      </Stack>
      {aside}
    </Group>
  );
}
