import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { MetricChartProps } from './metric-chart';

/** Charts are large: they come after the page. */
const MetricChart = lazy(() => import('./metric-chart'));

export function LazyMetricChart(props: MetricChartProps) {
  return (
    <Suspense fallback={<Skeleton h={260} role="status" aria-label="Loading the chart" />}>
      <MetricChart {...props} />
    </Suspense>
  );
}
