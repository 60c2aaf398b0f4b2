import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Overview } from '../../../../src/contracts/overview';
import { useSession } from '../../app/session-context';
import { Facts } from '../../components/facts';
import { AnchorLink, ButtonLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { bucketName, spanInWords } from './words';

const RecallsChart = lazy(() => import('./recalls-chart'));

/** What is under way, and how much memory is asked. */
export function NowPanel({ overview, days }: { overview: Overview; days: string }) {
  const { timezone } = useSession();
  const { backlog, recalls, agents } = overview;
  return (
    <Panel
      title="Backlog and recalls"
      actions={<ButtonLink to="/recall">Ask as an agent</ButtonLink>}
    >
      <Facts
        rows={[
          [
            'Captures waiting',
            <span key="pending" className="numbers">
              <AnchorLink to="/captures" search={{ disposition: 'pending' }} underline="always">
                {backlog.pending.toLocaleString()}
              </AnchorLink>
              {backlog.oldest_pending_at !== null && (
                <>
                  , the oldest since <When at={backlog.oldest_pending_at} />
                </>
              )}
            </span>,
          ],
          ['To be worded', `${backlog.needs_distill.toLocaleString()} cards`],
          ['Not yet started', `${backlog.outbox.toLocaleString()} starts on their way to Temporal`],
          [
            'Agents',
            <AnchorLink key="agents" to="/agents">
              {agents.known.toLocaleString()} known
            </AnchorLink>,
          ],
          [
            'Recalls',
            <Text key="recalls" span size="sm" className="numbers">
              {recalls.total.toLocaleString()} {spanInWords(days)}
            </Text>,
          ],
        ]}
      />
      {recalls.total > 0 && (
        <Suspense fallback={<Skeleton h={110} role="status" aria-label="Loading the chart" />}>
          <RecallsChart
            series={recalls.series}
            total={recalls.total}
            name={bucketName(overview.bucket, timezone)}
          />
        </Suspense>
      )}
    </Panel>
  );
}
