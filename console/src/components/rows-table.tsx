import { Button, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isGone } from '../api/http';
import type { Rows } from '../api/paging';
import { Empty } from './empty';
import { Failed } from './failed';
import classes from './rows-table.module.css';

export interface Column<T> {
  name: string;
  /** A track of a CSS grid, `minmax(0, 2fr)` or `110px`. */
  width: string;
  cell(row: T): ReactNode;
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  align?: 'right';
}

/** Rows near the end of what is loaded ask for the next page. */
const AHEAD = 15;

/**
 * A list of any length: only the rows on the screen exist. Arrow keys, `j` and `k` move, Enter opens;
 * the next page is loaded on the way. Says when it is empty, loading, failed.
 */
export function RowsTable<T>({
  label,
  rows,
  columns,
  keyOf,
  open,
  selected,
  follow = false,
  height = 'calc(100vh - 230px)',
  rowHeight = 52,
  empty,
}: {
  /** For screen readers. */
  label: string;
  rows: Rows<T>;
  columns: readonly Column<T>[];
  keyOf(row: T): string;
  /** What Enter and a click do; left out: rows are only read. */
  open?: (row: T) => void;
  /** The key of the row that is open beside the list. */
  selected?: string | undefined;
  /** Moving to a row opens it: for a list that stands beside what it opens. */
  follow?: boolean;
  height?: string | number;
  rowHeight?: number;
  empty?: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const { items } = rows;
  const place = selected === undefined ? -1 : items.findIndex((row) => keyOf(row) === selected);
  useEffect(() => {
    if (place >= 0) setAt(place);
  }, [place]);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => {
      const row = items[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const { more, loadMore } = rows;
  useEffect(() => {
    if (more && last >= items.length - AHEAD) loadMore();
  }, [more, last, items.length, loadMore]);

  const move = (to: number) => {
    const next = Math.max(0, Math.min(items.length - 1, to));
    setAt(next);
    virtual.scrollToIndex(next, { align: 'auto' });
    requestAnimationFrame(() => {
      frame.current
        ?.querySelector<HTMLElement>(`[data-index="${next}"]`)
        ?.focus({ preventScroll: true });
    });
    const row = items[next];
    if (follow && row !== undefined && keyOf(row) !== selected) open?.(row);
  };
  // Where nothing is open, or what was open is no longer in the list, the row at hand is the next one.
  const step = (by: number) => move(follow ? (place < 0 ? at : place + by) : at + by);
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 400) / rowHeight) - 1);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: items.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (event.key === 'Enter' && event.target instanceof HTMLElement) {
      const row = items[at];
      // A link or button within the row does what it is for.
      if (event.target.dataset.index !== undefined && row !== undefined) open?.(row);
    }
  };

  if (rows.error !== null && (items.length === 0 || isGone(rows.error)))
    return <Failed error={rows.error} again={rows.again} />;
  if (rows.loading) {
    return (
      <Stack gap={6} role="status" aria-busy aria-label={`Loading ${label}`}>
        {Array.from({ length: 8 }, (_, n) => (
          <Skeleton key={`${n}`} h={rowHeight - 12} radius="sm" />
        ))}
      </Stack>
    );
  }
  if (items.length === 0) return <>{empty ?? <Empty title="Nothing here" />}</>;
  const tracks = columns.map(({ width }) => width).join(' ');
  const narrow = columns
    .filter(({ wideOnly }) => wideOnly !== true)
    .map(({ width }) => width)
    .join(' ');
  return (
    <div
      className={classes.frame}
      data-keeps-focus={follow}
      style={{ '--tracks': tracks, '--narrow': narrow } as React.CSSProperties}
    >
      <div
        ref={frame}
        role="table"
        aria-label={label}
        aria-rowcount={rows.total}
        aria-busy={rows.changing}
        className={classes.scroll}
        style={{ maxHeight: height, opacity: rows.changing ? 0.6 : 1 }}
        onKeyDown={onKey}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" className={classes.row} aria-rowindex={1}>
            {columns.map((column) => (
              <span
                key={column.name}
                role="columnheader"
                className={column.wideOnly === true ? classes.wide : undefined}
                data-align={column.align}
              >
                {column.name}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start, key }) => {
            const row = items[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selected === undefined ? undefined : keyOf(row) === selected}
                tabIndex={index === at ? 0 : -1}
                className={classes.row}
                data-opens={open !== undefined}
                data-selected={keyOf(row) === selected}
                style={{ transform: `translateY(${start}px)`, minHeight: rowHeight }}
                onFocus={() => setAt(index)}
                onClick={(event) => {
                  if (open === undefined || isControl(event.target)) return;
                  open(row);
                }}
              >
                {columns.map((column) => (
                  <div
                    key={column.name}
                    role="cell"
                    className={column.wideOnly === true ? classes.wide : undefined}
                    data-align={column.align}
                  >
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <Group justify="space-between" className={classes.foot} gap="xs">
        <Text size="xs" c="dimmed" role="status" className="numbers">
          {items.length.toLocaleString()} of {rows.total.toLocaleString()}
          {rows.capped ? ' and more' : ''}
        </Text>
        <Group gap="xs">
          {rows.loadingMore && <Loader size="xs" aria-label="Loading more" />}
          {rows.error !== null && (
            <Text size="xs" c="red">
              {rows.error.message}
            </Text>
          )}
          {rows.more && (
            <Button size="compact-xs" variant="subtle" onClick={rows.loadMore}>
              More
            </Button>
          )}
          <Button size="compact-xs" variant="subtle" color="gray" onClick={rows.again}>
            Read again
          </Button>
        </Group>
      </Group>
    </div>
  );
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label') !== null;
}
