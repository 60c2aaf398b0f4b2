import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../app/session-context';

/** The two logs, and the chain that seals both. */
export function Sections({ at }: { at: 'audit' | 'access' | 'chain' }) {
  const navigate = useNavigate();
  const mayAccess = useMay('GET /v1/access-log');
  return (
    <Tabs
      value={at}
      onChange={(to) =>
        void navigate({
          to: to === 'access' ? '/audit/access' : to === 'chain' ? '/audit/chain' : '/audit',
        })
      }
      mb="md"
    >
      <Tabs.List aria-label="Logs">
        <Tabs.Tab value="audit">Changes</Tabs.Tab>
        {mayAccess && <Tabs.Tab value="access">Reads</Tabs.Tab>}
        <Tabs.Tab value="chain">Seals</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
