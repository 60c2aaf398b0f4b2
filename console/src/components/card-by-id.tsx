import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Card } from '../../../src/contracts/card';
import { isGone, Problem } from '../api/http';
import { useOne } from '../api/paging';
import { CardLine } from './card-line';

/** A card that is known by its id alone; says so where the viewer may not see it or it is gone. */
export function CardById({ id, lines, aside }: { id: string; lines?: number; aside?: ReactNode }) {
  const { data, error } = useOne<Card>('cards', `/v1/cards/${encodeURIComponent(id)}`);
  if (data !== undefined && !isGone(error)) {
    return <CardLine card={data} {...(lines === undefined ? {} : { lines })} aside={aside} />;
  }
  if (error === null) return <Skeleton h={44} role="status" aria-label="Loading a card" />;
  const gone = error instanceof Problem && (error.status === 404 || error.status === 410);
  return (
    <Text size="sm" c="dimmed">
      {gone ? 'A card that is gone, or that you may not see' : error.message}{' '}
      <Text span ff="monospace" size="xs">
        {id}
      </Text>
    </Text>
  );
}
