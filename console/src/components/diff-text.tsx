import { Text } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import classes from './diff-text.module.css';

/** Two versions of a text in one: what went is struck through, what came is underlined. */
export function DiffText({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWordsWithSpace(before, after), [before, after]);
  return (
    <Text component="div" size="sm" className="told">
      {parts.map(({ value, added, removed }, at) => {
        const key = `${at}`;
        if (added) {
          return (
            <ins key={key} className={classes.came}>
              {value}
            </ins>
          );
        }
        if (removed) {
          return (
            <del key={key} className={classes.went}>
              {value}
            </del>
          );
        }
        return <span key={key}>{value}</span>;
      })}
    </Text>
  );
}
