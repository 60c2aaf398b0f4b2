import { Stack, Text, Title } from '@mantine/core';
import { DiffText } from '../../components/diff-text';
import { Facts } from '../../components/facts';
import type { CardThen, CardVersion } from './wire';

/** What differs between two versions: its words in one text, everything else from one to the other. */
export function VersionDiff({ before, after }: { before: CardVersion; after: CardVersion }) {
  const [was, is] = [before.after, after.after];
  const [all, now] = [flat(was), flat(is)];
  const changed = [...new Set([...all.keys(), ...now.keys()])].filter(
    (field) => shown(all.get(field)) !== shown(now.get(field)),
  );
  return (
    <Stack gap="xs" component="section" aria-label="What differs">
      <Title order={3} size="h6">
        From version {before.version} to version {after.version}
      </Title>
      {was.summary === is.summary ? (
        <Text size="sm" c="dimmed">
          The words are the same.
        </Text>
      ) : (
        <DiffText before={was.summary ?? ''} after={is.summary ?? ''} />
      )}
      {changed.length > 0 && (
        <Facts
          rows={changed.map((field) => [
            field.replaceAll('_', ' '),
            <span key={field} className="told">
              <del>{shown(all.get(field))}</del> → <ins>{shown(now.get(field))}</ins>
            </span>,
          ])}
        />
      )}
    </Stack>
  );
}

/** Shown by themselves, or the number of the version. */
const APART: ReadonlySet<string> = new Set(['summary', 'version']);
/** Of several parts, each with its own name. */
const PARTED: ReadonlySet<string> = new Set(['hints', 'provenance']);

function flat(card: CardThen): Map<string, unknown> {
  const fields = Object.entries(card).filter(([name]) => !APART.has(name));
  return new Map(
    fields.flatMap(([name, value]) =>
      PARTED.has(name) ? Object.entries(value ?? {}) : [[name, value]],
    ),
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (Array.isArray(value)) return value.map(String).join(', ') || '—';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
