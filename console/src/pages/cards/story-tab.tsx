import { Stack, Text, Timeline } from '@mantine/core';
import {
  IconArrowsSplit2,
  IconEye,
  IconPencil,
  IconSeeding,
  IconTargetArrow,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Card } from '../../../../src/contracts/card';
import type { CardStory } from '../../../../src/contracts/story';
import { useOne } from '../../api/paging';
import { CardLine } from '../../components/card-line';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';
import { pathOf } from './wire';

/** Why a card exists, what it became, who saw it, where it was put to use: in order, in words. */
export function StoryTab({ card }: { card: Card }) {
  const story = useOne<CardStory>('cards', pathOf(card.id, '/story'));
  return (
    <Loaded query={story} lines={8}>
      {(told) => <Told story={told} />}
    </Loaded>
  );
}

const ICON = 14;
const FEW = 5;

function Told({ story }: { story: CardStory }) {
  const { why, became, seen, injected, truncated } = story;
  return (
    <Timeline bulletSize={26} lineWidth={2} active={-1}>
      <Timeline.Item bullet={<IconSeeding size={ICON} />} title="Why it exists">
        <Stack gap={6}>
          <Why why={why} />
          {why.sources.slice(0, FEW).map((one) => (
            <CardLine key={one.id} card={one} lines={2} />
          ))}
        </Stack>
      </Timeline.Item>
      {[...became.versions].reverse().map((one) => (
        <Timeline.Item
          key={one.version}
          bullet={<IconPencil size={ICON} />}
          title={`Version ${one.version}: ${one.action.replaceAll('_', ' ')}`}
        >
          <Line>
            By {one.actor.kind} {one.actor.id}, <When at={one.at} />
            {one.action !== 'created' && one.changed.length > 0 && `: ${one.changed.join(', ')}`}
          </Line>
        </Timeline.Item>
      ))}
      <Timeline.Item bullet={<IconArrowsSplit2 size={ICON} />} title="What it became">
        <Stack gap={6}>
          {became.superseded_by !== null && (
            <>
              <Line>Another card took its place:</Line>
              <CardLine card={became.superseded_by} lines={2} />
            </>
          )}
          <Line>
            {became.edges.length} links, {became.derived.length} cards made from it.
          </Line>
          {became.derived.slice(0, FEW).map((one) => (
            <CardLine key={one.id} card={one} lines={2} />
          ))}
          {became.proposals.map(({ id, type, status, created_at }) => (
            <Line key={id}>
              Evidence of a{' '}
              <AnchorLink to="/inbox/$id" params={{ id }} underline="always">
                {type.replaceAll('_', ' ')}
              </AnchorLink>{' '}
              that is {status}, <When at={created_at} />
            </Line>
          ))}
        </Stack>
      </Timeline.Item>
      <Timeline.Item bullet={<IconEye size={ICON} />} title={`Seen ${times(seen.reads)} by others`}>
        <Stack gap={4}>
          {seen.by.slice(0, FEW * 2).map((one) => (
            <Line key={`${one.agent} ${one.person} ${one.via}`}>
              {one.agent ?? (one.person === null ? 'somebody' : `person ${one.person}`)}:{' '}
              {times(one.reads)} via {one.via.replace('_', ' ')}, last <When at={one.last_at} />
            </Line>
          ))}
        </Stack>
      </Timeline.Item>
      <Timeline.Item
        bullet={<IconTargetArrow size={ICON} />}
        title={`Put into ${injected.recalls} contexts in ${injected.sessions} sessions`}
      >
        <Stack gap={4}>
          {injected.latest.slice(0, FEW * 2).map((one) => (
            <Line key={one.recall_id}>
              {one.agent ?? `person ${one.person ?? ''}`} to {one.intent.replace('_', ' ')}, in “
              {one.section}” at place {one.position + 1}, score {one.score.toFixed(3)},{' '}
              <When at={one.at} />
              {one.proven_at !== null && ' · it helped'}
            </Line>
          ))}
          {truncated.length > 0 && <Line>More than is shown: {truncated.join(', ')}.</Line>}
        </Stack>
      </Timeline.Item>
    </Timeline>
  );
}

function Why({ why }: { why: CardStory['why'] }) {
  const { event, operation } = why;
  return (
    <>
      {event !== null && (
        <Line>
          {event.agent} did it
          {event.outcome !== null && `, and it ${OUTCOMES[event.outcome]}`}
          {event.occurred_at !== null && (
            <>
              {' '}
              <When at={event.occurred_at} />
            </>
          )}
          ; reported by {event.reported_by.kind} {event.reported_by.id}.{' '}
          <AnchorLink to="/captures/$id" params={{ id: event.event_id }} underline="always">
            The event
          </AnchorLink>
        </Line>
      )}
      <Line>
        Written by {why.written_by.kind} {why.written_by.id}, <When at={why.recorded_at} />
        {why.model !== null && `, in the words of ${why.model}`}.
      </Line>
      {operation !== null && (
        <>
          <Line>
            By the {operation.type} run, which is {operation.status}:
          </Line>
          <WorkflowLink id={operation.workflow_id} runId={operation.run_id} />
        </>
      )}
    </>
  );
}

const OUTCOMES = {
  worked: 'worked',
  failed: 'failed',
  blocked: 'was blocked',
  neutral: 'came to neither good nor bad',
} as const;

function Line({ children }: { children: ReactNode }) {
  return (
    <Text component="div" size="sm" className="told">
      {children}
    </Text>
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count.toLocaleString()} times`;
}
