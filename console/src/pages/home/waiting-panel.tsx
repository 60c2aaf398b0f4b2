import { Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Overview } from '../../../../src/contracts/overview';
import { Empty } from '../../components/empty';
import { ButtonLink } from '../../components/links';
import { Panel } from '../../components/panel';
import classes from './matter.module.css';
import { toDecide } from './to-decide';
import { toMend } from './to-mend';
import { useWaiting } from './use-waiting';

/** What a person has to look at, the most pressing first; each line leads to where it is dealt with. */
export function WaitingPanel({ overview, days }: { overview: Overview; days: string }) {
  const waiting = useWaiting();
  const matters = [...toDecide(overview, waiting), ...toMend(overview, waiting, days)];
  return (
    <Panel title="Waits for a person">
      {matters.length === 0 ? (
        <Empty title="Nothing waits for you" icon={IconCircleCheck}>
          <Text size="sm" mb="xs">
            No proposal, contradiction, urgent insight or lost delivery.
          </Text>
          <Group justify="center" gap="xs">
            <ButtonLink to="/cards">Look through the cards</ButtonLink>
            <ButtonLink to="/recall">Try a recall</ButtonLink>
          </Group>
        </Empty>
      ) : (
        <ul className={classes.list}>{matters}</ul>
      )}
    </Panel>
  );
}
