import { Stack, Text } from '@mantine/core';
import { type Page, useOne } from '../../api/paging';
import { DiffText } from '../../components/diff-text';
import { JsonText } from '../../components/json-text';
import { Loaded } from '../../components/loaded';

interface Version {
  version: number;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** What one version of a card changed against the one before, field by field. */
export function ChangeDiff({ card, version }: { card: string; version: number }) {
  const query = useOne<Page<Version>>('cards', `/v1/cards/${encodeURIComponent(card)}/history`, {
    limit: 100,
  });
  return (
    <Loaded query={query} lines={2}>
      {({ items }) => {
        const found = items.find((one) => one.version === version);
        if (found === undefined) return <Text size="sm">This version is no longer kept.</Text>;
        const { before, after } = found;
        const names = Object.keys(after ?? before ?? {}).filter(
          (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
        );
        return (
          <Stack gap="xs">
            {names.map((name) => {
              const [was, is] = [before?.[name], after?.[name]];
              return (
                <div key={name}>
                  <Text size="xs" c="dimmed">
                    {name.replaceAll('_', ' ')}
                  </Text>
                  {typeof was === 'string' || typeof is === 'string' ? (
                    <DiffText before={String(was ?? '')} after={String(is ?? '')} />
                  ) : (
                    <JsonText value={{ before: was ?? null, after: is ?? null }} />
                  )}
                </div>
              );
            })}
          </Stack>
        );
      }}
    </Loaded>
  );
}
