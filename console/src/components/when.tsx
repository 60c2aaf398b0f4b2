import { Tooltip } from '@mantine/core';
import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';
import { useEffect, useState } from 'react';

dayjs.extend(relativeTime);

/** The viewer's own zone and language. */
const EXACT = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'long',
});
const MINUTE_MS = 60_000;

export function exact(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : EXACT.format(date);
}

/** A moment as "3 minutes ago", with the exact time and zone on hover and for screen readers. */
export function When({ at, none = '—' }: { at: string | null | undefined; none?: string }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span>{none}</span>;
  return (
    <Tooltip label={exact(at)} openDelay={150}>
      <time dateTime={at} title={exact(at)} className="numbers">
        {dayjs(at).fromNow()}
      </time>
    </Tooltip>
  );
}

/** `1 h 5 min`, from milliseconds. */
export function lasted(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}
