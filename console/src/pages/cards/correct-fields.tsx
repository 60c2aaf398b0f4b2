import {
  Fieldset,
  NumberInput,
  Select,
  SimpleGrid,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CARD_KINDS, SIGNS } from '../../../../src/contracts/names';
import { FIELD_NAMES, type Fields } from './correction';
import { wordOf } from './words';

const MOST = 2_000;
const LABELS = ['topic', 'subject', 'project'] as const;
const HINTS = ['service', 'operation', 'task_type', 'workflow', 'step'] as const;
const TIMES = ['valid_from', 'valid_to', 'expires_at'] as const;

/** Every field that may be corrected; a member corrects what is said and nothing else. */
export function CorrectFields({
  form,
  isMember,
}: {
  form: UseFormReturnType<Fields>;
  isMember: boolean;
}) {
  const { length } = form.values.summary;
  return (
    <>
      <Textarea
        label={FIELD_NAMES.summary}
        description={`${length.toLocaleString()} of ${MOST.toLocaleString()} characters`}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MOST}
        required
        data-autofocus
        {...form.getInputProps('summary')}
      />
      {!isMember && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Select
              label={FIELD_NAMES.kind}
              data={CARD_KINDS.map((kind) => ({ value: kind, label: wordOf('kind', kind) }))}
              allowDeselect={false}
              {...form.getInputProps('kind')}
            />
            <Select
              label={FIELD_NAMES.sign}
              data={[...SIGNS]}
              allowDeselect={false}
              {...form.getInputProps('sign')}
            />
            <NumberInput
              label={FIELD_NAMES.importance}
              description="1 to 10; empty counts as 5"
              min={1}
              max={10}
              allowDecimal={false}
              {...form.getInputProps('importance')}
            />
            <NumberInput
              label={FIELD_NAMES.confidence}
              description="In percent"
              min={0}
              max={100}
              suffix=" %"
              {...form.getInputProps('confidence')}
            />
          </SimpleGrid>
          <Fieldset legend="What it is about">
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              {[...LABELS, ...HINTS].map((name) => (
                <TextInput
                  key={name}
                  label={FIELD_NAMES[name]}
                  maxLength={200}
                  {...form.getInputProps(name)}
                />
              ))}
            </SimpleGrid>
            <TagsInput
              mt="sm"
              label={FIELD_NAMES.keywords}
              maxTags={20}
              {...form.getInputProps('keywords')}
            />
          </Fieldset>
          <Fieldset legend="When it holds, in your own zone">
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
              {TIMES.map((name) => (
                <TextInput
                  key={name}
                  type="datetime-local"
                  label={FIELD_NAMES[name]}
                  {...form.getInputProps(name)}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        </>
      )}
    </>
  );
}
