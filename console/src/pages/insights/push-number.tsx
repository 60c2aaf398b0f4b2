import { Button, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';
import { fromField } from '../../components/local-time';

interface Values {
  name: string;
  value: number | string;
  unit: string;
  goal: string | null;
  at: string;
}

/** A person tells a number: of now, or of an earlier moment. */
export function PushNumber({ name, unit }: { name: string | undefined; unit: string | null }) {
  const [opened, { open, close }] = useDisclosure(false);
  const form = useForm<Values>({
    initialValues: { name: '', value: '', unit: '', goal: null, at: '' },
    validate: {
      name: (text) => (text.trim() === '' ? 'Which metric?' : null),
      value: (value) => (value === '' ? 'Which number?' : null),
    },
  });
  const push = useDoing<Values>({
    call: (values) => {
      const at = fromField(values.at);
      const said = values.unit.trim();
      return send('/v1/metrics', {
        method: 'POST',
        body: {
          name: values.name.trim(),
          value: Number(values.value),
          ...(said === '' ? {} : { unit: said }),
          ...(values.goal === null ? {} : { goal: values.goal }),
          ...(at === null ? {} : { at }),
        },
      });
    },
    done: 'Kept',
    touches: ['metrics', 'insights'],
    then: close,
  });
  const show = () => {
    form.setValues({ name: name ?? '', value: '', unit: unit ?? '', goal: null, at: '' });
    open();
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={show}>
        Push a number
      </Button>
      <Modal opened={opened} onClose={close} title="Push a number" centered>
        <form onSubmit={form.onSubmit((values) => push.mutate(values))}>
          <Stack>
            <TextInput
              label="Metric"
              placeholder="harbor.labor_percent"
              required
              {...form.getInputProps('name')}
            />
            <Group grow align="flex-start">
              <NumberInput label="Number" required {...form.getInputProps('value')} />
              <TextInput
                label="Unit"
                placeholder="%, USD/week"
                maxLength={40}
                {...form.getInputProps('unit')}
              />
            </Group>
            <Select
              label="Goal"
              description="Left out, its name tells where it can"
              data={[
                { value: 'up', label: 'more is better' },
                { value: 'down', label: 'less is better' },
              ]}
              clearable
              {...form.getInputProps('goal')}
            />
            <TextInput
              type="datetime-local"
              label="Of"
              description="In your zone; empty: now. The same moment told again is the later number."
              {...form.getInputProps('at')}
            />
            <Button type="submit" loading={push.isPending}>
              Keep it
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
