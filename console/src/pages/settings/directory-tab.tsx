import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Rows } from '../../api/paging';
import { type Column, RowsTable } from '../../components/rows-table';

/** A list of the directory: what it is for, a way to add to it, and its rows. */
export function DirectoryTab<T extends { id: string }>({
  label,
  says,
  add,
  onAdd,
  filter,
  rows,
  columns,
  open,
  selected,
  height = 'calc(100vh - 340px)',
  empty,
  children,
}: {
  label: string;
  says: string;
  add: string;
  /** Left out where the viewer may not. */
  onAdd?: (() => void) | undefined;
  filter?: ReactNode;
  rows: Rows<T>;
  columns: readonly Column<T>[];
  open?: (row: T) => void;
  selected?: string | undefined;
  height?: string | number | undefined;
  empty: ReactNode;
  /** The form that is open. */
  children: ReactNode;
}) {
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" style={{ flex: '1 1 260px' }}>
          {says}
        </Text>
        {filter}
        {onAdd !== undefined && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
            {add}
          </Button>
        )}
      </Group>
      <RowsTable
        label={label}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        height={height}
        selected={selected}
        {...(open === undefined ? {} : { open })}
        empty={empty}
      />
      {children}
    </Stack>
  );
}

/** The name of a row, and its id where that says more. */
export function NameAndId({ id, name }: { id: string; name: string | null }) {
  return (
    <>
      <Text size="sm" fw={550} truncate title={id}>
        {name ?? id}
      </Text>
      {name !== null && name !== id && (
        <Text size="xs" c="dimmed" ff="monospace" truncate>
          {id}
        </Text>
      )}
    </>
  );
}

export function ChangeButton({ of, onClick }: { of: string; onClick(): void }) {
  return (
    <Button size="compact-xs" variant="default" onClick={onClick} aria-label={`Change ${of}`}>
      Change
    </Button>
  );
}
