import { Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Overview } from '../../../../src/contracts/overview';
import { useSession } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { AnchorLink, ButtonLink } from '../../components/links';
import { Panel } from '../../components/panel';
import classes from './captures.module.css';
import { CapturesTable } from './captures-table';
import {
  bucketName,
  DISPOSITION_COLORS,
  dispositionsIn,
  inWords,
  spanInWords,
  sumOf,
} from './words';

/** Charts are large: they come after the page. */
const CapturesChart = lazy(() => import('./captures-chart'));

/** What was told, and what became of it, over time; each part leads to its captures. */
export function CapturesPanel({
  overview,
  days,
  asTable,
  setTable,
}: {
  overview: Overview;
  days: string;
  asTable: boolean;
  setTable(table: boolean): void;
}) {
  const { timezone } = useSession();
  const { captures, bucket } = overview;
  const shown = dispositionsIn(captures.totals);
  const total = sumOf(captures.totals);
  const since = captures.series[0]?.at;
  const name = bucketName(bucket, timezone);
  return (
    <Panel
      title="Captures"
      says={`${total.toLocaleString()} reported ${spanInWords(days)}, by what became of them`}
      actions={
        <SegmentedControl
          aria-label="How to show the captures"
          size="xs"
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={asTable ? 'table' : 'chart'}
          onChange={(value) => setTable(value === 'table')}
        />
      }
    >
      {total === 0 ? (
        <Empty title="Nothing was reported">
          <Group justify="center" gap="xs">
            <ButtonLink to="/" search={{ days: '90' }}>
              Look back 90 days
            </ButtonLink>
            <ButtonLink to="/captures">All captures</ButtonLink>
          </Group>
        </Empty>
      ) : asTable ? (
        <CapturesTable series={captures.series} shown={shown} name={name} />
      ) : (
        <Suspense fallback={<Skeleton h={240} role="status" aria-label="Loading the chart" />}>
          <CapturesChart series={captures.series} shown={shown} name={name} />
        </Suspense>
      )}
      {total > 0 && (
        <Group gap="md" mt="sm" component="ul" className={classes.legend}>
          {shown.map((disposition) => (
            <li key={disposition} className={classes.part}>
              <span
                aria-hidden
                className={classes.swatch}
                style={{ background: colorOf(DISPOSITION_COLORS[disposition]) }}
              />
              <AnchorLink to="/captures" search={{ disposition, since }} size="xs">
                {inWords(disposition)}
              </AnchorLink>
              <Text span size="xs" c="dimmed" className="numbers">
                {(captures.totals[disposition] ?? 0).toLocaleString()}
              </Text>
            </li>
          ))}
        </Group>
      )}
    </Panel>
  );
}

function colorOf(color: string): string {
  return `var(--mantine-color-${color.replace('.', '-')})`;
}
