import {
  Button,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { SCOPE_TYPES } from '../../../../src/contracts/names';
import { SCHEDULED_PASSES } from '../../../../src/contracts/passes';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';

const SAYS: Record<(typeof SCHEDULED_PASSES)[number], string> = {
  consolidation: 'Sums up cards that say the same, and retires what they stand for',
  reflection: 'Looks for what several cards say together; findings pass the gate',
  recalibration: 'Counts again how often each agent’s work succeeds',
  retention: 'Archives and removes what its time is over for',
};

interface Values {
  type: (typeof SCHEDULED_PASSES)[number];
  scopeType: string | null;
  scopeId: string;
  dry: boolean;
  cards: number | string;
  tokens: number | string;
}

/** Starts a pass now; a dry run first, unless one says otherwise. */
export function StartPass() {
  const [open, { open: show, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const form = useForm<Values>({
    initialValues: {
      type: 'consolidation',
      scopeType: null,
      scopeId: '',
      dry: true,
      cards: '',
      tokens: '',
    },
    validate: {
      scopeId: (id, { scopeType }) =>
        scopeType !== null && id.trim() === '' ? 'Name it, or choose the whole workspace' : null,
    },
  });
  const start = useDoing<Values, { data: { operation_id: string } }>({
    call: ({ type, scopeType, scopeId, dry, cards, tokens }) => {
      const budget = {
        ...(cards === '' ? {} : { cards: Number(cards) }),
        ...(tokens === '' ? {} : { tokens: Number(tokens) }),
      };
      const body = {
        dry_run: dry,
        ...(scopeType === null ? {} : { scope: { type: scopeType, id: scopeId.trim() } }),
        ...(Object.keys(budget).length === 0 ? {} : { budget }),
      };
      return send(`/v1/runs/${type}`, { method: 'POST', body });
    },
    done: (_, { dry }) => (dry ? 'Dry run started' : 'Started'),
    touches: ['runs'],
    then: ({ data }) => {
      close();
      void navigate({ to: '/runs/$id', params: { id: data.operation_id } });
    },
  });
  return (
    <>
      <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={show}>
        Start a pass
      </Button>
      <Modal opened={open} onClose={close} title="Start a pass" centered>
        <form onSubmit={form.onSubmit((values) => start.mutate(values))}>
          <Stack>
            <Select
              label="Pass"
              description={SAYS[form.values.type]}
              data={[...SCHEDULED_PASSES]}
              allowDeselect={false}
              {...form.getInputProps('type')}
            />
            <SimpleGrid cols={2}>
              <Select
                label="Scope"
                placeholder="whole workspace"
                data={SCOPE_TYPES.filter((type) => type !== 'workspace')}
                clearable
                {...form.getInputProps('scopeType')}
              />
              <TextInput
                label="Which"
                disabled={form.values.scopeType === null}
                {...form.getInputProps('scopeId')}
              />
              <NumberInput label="Cards at most" min={1} {...form.getInputProps('cards')} />
              <NumberInput label="Tokens at most" min={1} {...form.getInputProps('tokens')} />
            </SimpleGrid>
            <Switch
              label="Dry run: say what would change, and change nothing"
              {...form.getInputProps('dry', { type: 'checkbox' })}
            />
            <Button type="submit" loading={start.isPending}>
              {form.values.dry ? 'Start the dry run' : 'Start'}
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
