import { ActionIcon, Button, Group, Kbd, Text } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronUp, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Empty } from '../../components/empty';
import { ButtonLink } from '../../components/links';
import classes from './inbox-page.module.css';
import type { Inbox } from './use-inbox';

/** The list, and beside it the matter that is open; on narrow screens one of the two. */
export function Panes({
  inbox: { id, search, open },
  ids,
  list,
  children,
}: {
  inbox: Inbox;
  /** Of the list, in its order. */
  ids: readonly string[];
  list: ReactNode;
  children: (id: string) => ReactNode;
}) {
  const [first] = ids;
  return (
    <div className={classes.panes} data-open={id !== undefined}>
      <div className={classes.list}>{list}</div>
      <div className={classes.matter}>
        {id === undefined ? (
          <Nothing {...(first === undefined ? {} : { begin: () => open(first) })} />
        ) : (
          <>
            <Group className={classes.back} mb="sm" justify="space-between">
              <ButtonLink to="/inbox" search={search} leftSection={<IconChevronLeft size={14} />}>
                Back to the list
              </ButtonLink>
              <Steps ids={ids} id={id} open={open} />
            </Group>
            {children(id)}
          </>
        )}
      </div>
    </div>
  );
}

/** Where there are no keys to press. */
function Steps({ ids, id, open }: { ids: readonly string[]; id: string; open(id: string): void }) {
  const at = ids.indexOf(id);
  const [before, after] = [ids[at - 1], at < 0 ? ids[0] : ids[at + 1]];
  return (
    <Group gap="xs">
      <ActionIcon
        variant="default"
        aria-label="The one before"
        disabled={before === undefined}
        onClick={() => before !== undefined && open(before)}
      >
        <IconChevronUp size={16} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label="The next one"
        disabled={after === undefined}
        onClick={() => after !== undefined && open(after)}
      >
        <IconChevronDown size={16} />
      </ActionIcon>
    </Group>
  );
}

function Nothing({ begin }: { begin?: () => void }) {
  if (begin === undefined) return null;
  return (
    <Empty title="One matter at a time" icon={IconInbox}>
      <Text size="sm" mb="sm">
        <Kbd>j</Kbd> and <Kbd>k</Kbd> open the next and the one before, <Kbd>a</Kbd> approves,{' '}
        <Kbd>x</Kbd> rejects.
      </Text>
      <Button size="xs" onClick={begin}>
        Start with the first
      </Button>
    </Empty>
  );
}
