import { useComputedColorScheme } from '@mantine/core';
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef } from 'react';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

export interface BarsSeries {
  label: string;
  /** Of Mantine's, with its shade: `lichen.6`. */
  color: string;
  values: number[];
}

/** Stacked bars over time; whoever reads no picture gets `says`, and the numbers elsewhere. */
export default function Bars({
  names,
  series,
  height,
  says,
}: {
  /** Of each bar. */
  names: string[];
  series: BarsSeries[];
  height: number;
  says: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme('light');
  const drawn = JSON.stringify([names, series, scheme]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const [bars, parts] = JSON.parse(drawn) as [string[], BarsSeries[]];
    const style = getComputedStyle(element);
    const color = (name: string) => style.getPropertyValue(`--mantine-color-${name}`).trim();
    const words = color('dimmed');
    const chart = new Chart(element, {
      type: 'bar',
      data: {
        labels: bars,
        datasets: parts.map(({ label, color: fill, values }) => ({
          label,
          data: values,
          backgroundColor: color(fill.replace('.', '-')),
          borderRadius: 3,
          maxBarThickness: 44,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: {
            stacked: true,
            grid: { display: false },
            ticks: { color: words, maxRotation: 0, autoSkipPadding: 16 },
          },
          y: {
            stacked: true,
            beginAtZero: true,
            grid: { color: color('default-border') },
            ticks: { color: words, precision: 0, maxTicksLimit: 5 },
          },
        },
        plugins: { tooltip: { filter: ({ parsed }) => parsed.y !== 0 } },
      },
    });
    return () => chart.destroy();
  }, [drawn]);
  return (
    <div role="img" aria-label={says} style={{ height, position: 'relative' }}>
      <canvas ref={canvas} />
    </div>
  );
}
