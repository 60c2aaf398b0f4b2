import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { ErasureSelector } from '../../../../src/contracts/erasure';

/** What is typed of a selector: names, and ids one a line. */
export type Named = Record<string, string>;

const NAMES = [
  ['subject', 'Subject', 'A customer, a household member: whom it is about'],
  ['person', 'Person', 'Somebody of this workspace'],
  ['agent', 'Agent', 'What it reported and wrote'],
  ['source', 'Service', 'All that came from it'],
  ['project', 'Project', 'All that belongs to it'],
] as const;
const LISTS = [
  ['event_ids', 'Events', 'Ids, one a line'],
  ['card_ids', 'Cards', 'Ids, one a line'],
] as const;

export function selectorOf(named: Named): ErasureSelector {
  const selector: Record<string, string | string[]> = {};
  for (const [name] of NAMES) {
    const value = named[name]?.trim();
    if (value) selector[name] = value;
  }
  for (const [name] of LISTS) {
    const ids = (named[name] ?? '').split(/[\s,]+/).filter(Boolean);
    if (ids.length > 0) selector[name] = ids;
  }
  return selector as ErasureSelector;
}

export function SelectorFields({ named, set }: { named: Named; set(named: Named): void }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
      {NAMES.map(([name, label, says]) => (
        <TextInput
          key={name}
          label={label}
          description={says}
          value={named[name] ?? ''}
          onChange={(event) => set({ ...named, [name]: event.currentTarget.value })}
        />
      ))}
      {LISTS.map(([name, label, says]) => (
        <Textarea
          key={name}
          label={label}
          description={says}
          autosize
          minRows={1}
          maxRows={6}
          value={(named[name] ?? '').replaceAll(',', '\n')}
          onChange={(event) => set({ ...named, [name]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  );
}
