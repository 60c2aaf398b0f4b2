import { Button, Menu } from '@mantine/core';
import {
  IconAffiliate,
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconEraser,
  IconHandStop,
  IconReportSearch,
  IconTrash,
} from '@tabler/icons-react';
import type { Card } from '../../../../src/contracts/card';
import { MenuLink } from '../../components/links';
import type { useAllowed, useJudging } from './card-judging';
import { useDeleting } from './deleting';
import { useForms } from './forms';
import { judge } from './judgements';
import { useVisibility, VisibilityItems } from './visibility-items';

const ICON = 16;

/** The actions of a card that are done now and then. */
export function CardMore({
  card,
  may,
  judging,
}: {
  card: Card;
  may: ReturnType<typeof useAllowed>;
  judging: ReturnType<typeof useJudging>;
}) {
  const { show } = useForms();
  const remove = useDeleting(card);
  const visibility = useVisibility(card);
  const agent = card.scope.type === 'agent' ? { agent: card.scope.id } : {};
  const isLooked = may.graph || may.recall;
  const isWidened = may.visibility || may.promote || may.demote;
  const isTaken = may.quarantine || may.remove || may.stop || may.erase;
  if (!isLooked && !isWidened && !isTaken) return null;
  return (
    <Menu position="bottom-start" withinPortal shadow="md" width={270}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={remove.isPending || visibility.isPending}
        >
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isLooked && <Menu.Label>Look</Menu.Label>}
        {may.graph && (
          <MenuLink
            to="/graph"
            search={{ center: card.id }}
            leftSection={<IconAffiliate size={ICON} aria-hidden />}
          >
            Open in the graph
          </MenuLink>
        )}
        {may.recall && (
          <MenuLink
            to="/recall"
            search={{ q: card.summary.slice(0, 200), asked: '1', ...agent }}
            leftSection={<IconReportSearch size={ICON} aria-hidden />}
          >
            Try in the recall lab
          </MenuLink>
        )}
        {isWidened && <Menu.Label>Who sees it</Menu.Label>}
        {may.visibility && <VisibilityItems card={card} set={visibility.mutate} />}
        {may.promote && (
          <Menu.Item
            leftSection={<IconArrowUp size={ICON} aria-hidden />}
            onClick={() => show('promote')}
          >
            Promote…
          </Menu.Item>
        )}
        {may.demote && (
          <Menu.Item
            leftSection={<IconArrowDown size={ICON} aria-hidden />}
            onClick={() => judge('demote', judging.mutate)}
          >
            Demote
          </Menu.Item>
        )}
        {isTaken && <Menu.Label>Take away</Menu.Label>}
        {may.quarantine && (
          <Menu.Item
            leftSection={<IconAlertTriangle size={ICON} aria-hidden />}
            onClick={() => judge('quarantine', judging.mutate)}
          >
            Quarantine
          </Menu.Item>
        )}
        {may.stop && (
          <Menu.Item
            leftSection={<IconHandStop size={ICON} aria-hidden />}
            onClick={() => show('stop')}
          >
            Stop it and what came of it…
          </Menu.Item>
        )}
        {may.remove && (
          <Menu.Item
            leftSection={<IconTrash size={ICON} aria-hidden />}
            onClick={() => remove.mutate()}
          >
            Delete
          </Menu.Item>
        )}
        {may.erase && (
          <MenuLink
            to="/erasures"
            search={{ tab: 'ask', card_ids: card.id }}
            leftSection={<IconEraser size={ICON} aria-hidden />}
          >
            Erase for good…
          </MenuLink>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
