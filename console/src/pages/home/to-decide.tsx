import { Badge, Group } from '@mantine/core';
import { IconArrowsSplit, IconBulb, IconInbox, IconPencil, IconTool } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Overview } from '../../../../src/contracts/overview';
import type { ProposalType } from '../../../../src/contracts/proposal';
import { AnchorLink, ButtonLink } from '../../components/links';
import { When } from '../../components/when';
import { Matter } from './matter';
import type { Waiting } from './use-waiting';

/** What only a person decides, the most pressing first. */
export function toDecide(
  { proposals, contradictions }: Overview,
  waiting: Waiting,
): ReactElement[] {
  const others = Object.entries(proposals.by_type).filter(
    (one): one is [ProposalType, number] => one[0] !== 'contradiction' && one[1] > 0,
  );
  const otherTotal = others.reduce((sum, [, count]) => sum + count, 0);
  const all = [
    contradictions.open > 0 && (
      <Matter
        key="contradictions"
        icon={IconArrowsSplit}
        color="orange"
        count={contradictions.open}
        title={contradictions.open === 1 ? 'open contradiction' : 'open contradictions'}
        says="Two cards say what cannot both hold; recall trusts neither until somebody chooses."
        act={
          <ButtonLink to="/inbox" search={{ type: 'contradiction' }} variant="filled">
            Choose a side
          </ButtonLink>
        }
      />
    ),
    otherTotal > 0 && (
      <Matter
        key="proposals"
        icon={IconInbox}
        color="lichen"
        count={otherTotal}
        title={otherTotal === 1 ? 'open proposal' : 'open proposals'}
        says={
          <Group gap={6}>
            {others.map(([type, count]) => (
              <AnchorLink key={type} to="/inbox" search={{ type }} size="xs">
                {count} {type.replaceAll('_', ' ')}
              </AnchorLink>
            ))}
            {proposals.oldest_open_at !== null && (
              <span>
                the oldest waits since <When at={proposals.oldest_open_at} />
              </span>
            )}
          </Group>
        }
        act={
          <ButtonLink to="/inbox" variant="filled">
            Decide
          </ButtonLink>
        }
      />
    ),
    waiting.urgentTotal > 0 && (
      <Matter
        key="urgent"
        icon={IconBulb}
        color="yellow"
        count={waiting.urgentTotal}
        title={waiting.urgentTotal === 1 ? 'urgent insight' : 'urgent insights'}
        says={waiting.urgent.map(({ id, title, finding, urgency }) => (
          <Group key={id} gap={6} wrap="nowrap">
            <Badge
              size="sm"
              variant="light"
              color="yellow"
              aria-label={`${urgency.score} of 100`}
              style={{ flex: 'none' }}
            >
              {urgency.score}
            </Badge>
            <AnchorLink to="/insights/$id" params={{ id }} size="xs" lineClamp={1}>
              {title ?? finding}
            </AnchorLink>
          </Group>
        ))}
        act={
          <ButtonLink
            to="/insights"
            search={{ status: 'recommended', min: String(waiting.urgentAbove ?? 0) }}
          >
            Take an action
          </ButtonLink>
        }
      />
    ),
    waiting.writes > 0 && (
      <Matter
        key="writes"
        icon={IconPencil}
        color="blue"
        count={waiting.writes}
        title={waiting.writes === 1 ? 'write of a restricted agent' : 'writes of restricted agents'}
        says="Nothing of it is remembered until its parent or a person accepts it."
        act={
          <ButtonLink to="/inbox" search={{ view: 'writes' }}>
            Look and accept
          </ButtonLink>
        }
      />
    ),
    waiting.fixes > 0 && (
      <Matter
        key="fixes"
        icon={IconTool}
        color="blue"
        count={waiting.fixes}
        title={waiting.fixes === 1 ? 'approved fix not applied' : 'approved fixes not applied'}
        says="Decided, and its runtime has not said yet that it runs so."
        act={
          <ButtonLink to="/inbox" search={{ view: 'fixes' }}>
            See the fixes
          </ButtonLink>
        }
      />
    ),
  ];
  return all.filter((one) => one !== false);
}
