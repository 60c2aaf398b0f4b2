import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';

/** What runs by itself, and what was reported: two lists of one house. */
export function Sections({ at }: { at: 'runs' | 'captures' }) {
  const navigate = useNavigate();
  return (
    <Tabs
      value={at}
      onChange={(to) => void navigate({ to: to === 'captures' ? '/captures' : '/runs' })}
      mb="md"
    >
      <Tabs.List aria-label="Runs and captures">
        <Tabs.Tab value="runs">Runs</Tabs.Tab>
        <Tabs.Tab value="captures">Captures</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
