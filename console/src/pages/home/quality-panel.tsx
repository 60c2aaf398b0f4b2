import { ActionIcon, Group, Progress, Stack, Text, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CardShare, Overview } from '../../../../src/contracts/overview';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { percent } from './words';

/** Shares of what is remembered that are of little use, and where each is dealt with. */
export function QualityPanel({ overview }: { overview: Overview }) {
  const { quality, proposals } = overview;
  const merges = proposals.by_type.merge ?? 0;
  const archives = proposals.by_type.archive ?? 0;
  return (
    <Panel
      title="Quality"
      says={`Of ${quality.cards.toLocaleString()} cards in use or held back; at most a minute old`}
    >
      <Stack gap="md">
        <Share
          name="Junk"
          share={quality.junk}
          color="red"
          says="Rejected or quarantined, or in use and flagged as reading like an instruction."
        >
          <AnchorLink to="/cards" search={{ status: 'rejected,quarantined' }} size="xs">
            See those held back
          </AnchorLink>
        </Share>
        <Share
          name="Duplicates"
          share={quality.duplicates}
          color="grape"
          says="In use, and word for word (upper case aside) what an earlier card of the same scope, kind, sign and subject says."
        >
          {merges > 0 ? (
            <AnchorLink to="/inbox" search={{ type: 'merge' }} size="xs">
              Decide on {merges} proposed {merges === 1 ? 'merge' : 'merges'}
            </AnchorLink>
          ) : (
            <AnchorLink to="/runs" search={{ type: 'recalibration' }} size="xs">
              Have a recalibration propose merges
            </AnchorLink>
          )}
        </Share>
        <Share
          name="Stale"
          share={quality.stale}
          color="orange"
          says="In use, and no longer valid, or not filed, edited, confirmed or used for as long as the policy says (recalibration.archive_unused)."
        >
          {archives > 0 ? (
            <AnchorLink to="/inbox" search={{ type: 'archive' }} size="xs">
              Decide on {archives} proposed {archives === 1 ? 'archiving' : 'archivings'}
            </AnchorLink>
          ) : (
            <AnchorLink to="/settings" search={{ tab: 'policy' }} size="xs">
              Say when a card is stale
            </AnchorLink>
          )}
        </Share>
        <Share
          name="Never recalled"
          share={quality.never_recalled}
          color="blue"
          says="In use, and in the answer of no recall yet."
        >
          <AnchorLink to="/recall" size="xs">
            Try what agents are told
          </AnchorLink>
        </Share>
      </Stack>
    </Panel>
  );
}

function Share({
  name,
  share: { count, share },
  color,
  says,
  children,
}: {
  name: string;
  share: CardShare;
  color: string;
  says: string;
  children: ReactNode;
}) {
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap={4}>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          <Tooltip
            label={says}
            multiline
            maw={300}
            events={{ hover: true, focus: true, touch: true }}
          >
            <ActionIcon size="xs" variant="subtle" color="gray" aria-label={`${name}: ${says}`}>
              <IconInfoCircle size={14} />
            </ActionIcon>
          </Tooltip>
        </Group>
        <Text size="sm" className="numbers">
          <b>{percent(share)}</b>{' '}
          <Text span size="xs" c="dimmed">
            {count.toLocaleString()} cards
          </Text>
        </Text>
      </Group>
      <Progress value={share * 100} color={color} size="sm" aria-label={name} mb={4} />
      {children}
    </div>
  );
}
