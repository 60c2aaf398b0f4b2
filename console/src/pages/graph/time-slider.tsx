import { ActionIcon, Group, Slider, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { GraphNode } from '../../../../src/contracts/graph';
import { exact } from '../../components/when';
import classes from './graph.module.css';

const STEPS = 1_000;
const BARS = 80;
/** From first to last in some ten seconds. */
const TICK_MS = 120;
const STEPS_A_TICK = STEPS / 80;

/** How the graph grew: cards recorded after the moment chosen are hidden. */
export function TimeSlider({
  nodes,
  span: [first, last],
  until,
  moving,
  chosen,
}: {
  nodes: readonly GraphNode[];
  span: readonly [number, number];
  /** Null: up to now. */
  until: number | null;
  /** On the way, and when it stands. */
  moving(until: number | null): void;
  chosen(until: number | null): void;
}) {
  const [plays, setPlays] = useState(false);
  const at = until === null ? STEPS : stepOf(until, first, last);
  const timeOf = (step: number) =>
    step >= STEPS ? null : Math.round(first + ((last - first) * step) / STEPS);
  const tick = useInterval(() => {
    const next = Math.min(STEPS, at + STEPS_A_TICK);
    moving(timeOf(next));
    if (next >= STEPS) stop(null);
  }, TICK_MS);
  const { start, stop: halt } = tick;
  useEffect(() => {
    if (plays) start();
    else halt();
    return halt;
  }, [plays, start, halt]);
  const stop = (then: number | null) => {
    setPlays(false);
    chosen(then);
  };
  const play = () => {
    if (plays) return stop(until);
    if (at >= STEPS) moving(timeOf(0));
    setPlays(true);
  };
  const counts = useMemo(() => {
    const bars = Array.from({ length: BARS }, () => 0);
    for (const { recorded_at } of nodes) {
      const step = stepOf(Date.parse(recorded_at), first, last);
      const bar = Math.min(BARS - 1, Math.floor((step / STEPS) * BARS));
      bars[bar] = (bars[bar] ?? 0) + 1;
    }
    return bars;
  }, [nodes, first, last]);
  const most = Math.max(...counts);
  const said = until === null ? 'up to now' : `until ${exact(new Date(until).toISOString())}`;
  return (
    <Group gap="sm" mt="sm" wrap="nowrap" align="center">
      <ActionIcon
        variant="default"
        size="lg"
        onClick={play}
        aria-label={plays ? 'Stop' : 'Play how it grew'}
      >
        {plays ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
      </ActionIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <svg
          className={classes.bars}
          viewBox={`0 0 ${BARS} 26`}
          preserveAspectRatio="none"
          aria-hidden
        >
          {counts.map((count, n) => {
            const height = count === 0 ? 0 : 2 + (24 * count) / most;
            return (
              <rect
                key={`${n}`}
                x={n + 0.1}
                y={26 - height}
                width={0.8}
                height={height}
                data-later={(n / BARS) * STEPS >= at}
              />
            );
          })}
        </svg>
        <Slider
          min={0}
          max={STEPS}
          step={STEPS / 200}
          value={at}
          size="sm"
          label={null}
          thumbLabel="Recorded until"
          thumbValueText={said}
          onChange={(step) => moving(timeOf(step))}
          onChangeEnd={(step) => stop(timeOf(step))}
        />
        <Text size="xs" c="dimmed" mt={4} className="numbers">
          Recorded {said}
        </Text>
      </div>
    </Group>
  );
}

function stepOf(at: number, first: number, last: number): number {
  return Math.max(0, Math.min(STEPS, ((at - first) / (last - first)) * STEPS));
}
