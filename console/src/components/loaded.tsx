import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { isGone } from '../api/http';
import { Failed, failureTitle } from './failed';
import { PageHead } from './page-head';

/** What a query brings: a skeleton before, the refusal instead, or the thing itself. */
export function Loaded<T>({
  query,
  lines = 4,
  page = false,
  children,
}: {
  query: { data: T | undefined; error: Error | null; refetch(): unknown };
  lines?: number;
  /** It is the page itself, whose heading is missing where it cannot be shown. */
  page?: boolean;
  children(data: T): ReactNode;
}) {
  if (query.data !== undefined && !isGone(query.error)) return <>{children(query.data)}</>;
  if (query.error !== null) {
    return (
      <>
        {page && <PageHead title={failureTitle(query.error)} />}
        <Failed error={query.error} again={() => void query.refetch()} />
      </>
    );
  }
  return (
    <Stack gap="xs" role="status" aria-busy aria-label="Loading">
      {Array.from({ length: lines }, (_, n) => (
        <Skeleton key={`${n}`} h={22} w={n === lines - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  );
}
