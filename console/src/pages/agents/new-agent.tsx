import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { AgentForm, type AgentValues, bodyOf } from './agent-form';

export function NewAgent() {
  const may = useMay('PUT /v1/agents/:id');
  const [open, { open: show, close }] = useDisclosure(false);
  const register = useDoing<AgentValues>({
    call: (values) =>
      send(`/v1/agents/${encodeURIComponent(values.id.trim())}`, {
        method: 'PUT',
        body: bodyOf(values),
      }),
    done: 'Registered',
    touches: ['agents'],
    then: close,
  });
  if (!may) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={show}>
        Register an agent
      </Button>
      <Modal opened={open} onClose={close} title="Register an agent" centered>
        <AgentForm agent={null} busy={register.isPending} save={register.mutate} />
      </Modal>
    </>
  );
}
