import { ActionIcon, Loader, Tooltip, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconArrowsShuffle, IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { CardGraph } from '../../../../src/contracts/graph';
import { Empty } from '../../components/empty';
import { type Direction, Drawing, TOWARDS } from './drawing';
import classes from './graph.module.css';
import type { Places } from './layout';
import type { Shown } from './shown';

interface MapProps {
  graph: CardGraph;
  shown: Shown;
  selected: string | null;
  places: Places;
  select(id: string | null): void;
  expand(id: string): void;
  open(id: string): void;
}

/** The graph as a picture, for pointer and keys; the table beside it says the same in words. */
export function CardMap({ graph, shown, selected, places, select, expand, open }: MapProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const acts = useRef({ select, expand });
  acts.current = { select, expand };
  const latest = useRef({ graph, shown, selected });
  latest.current = { graph, shown, selected };
  const [state, setState] = useState<'arranging' | 'still' | 'undrawable'>('arranging');
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const calm = useReducedMotion(undefined, { getInitialValueInEffect: false });

  useEffect(() => {
    const begin = () => {
      if (box.current === null) return;
      try {
        const drawn = new Drawing(
          box.current,
          places,
          scheme,
          { select: (id) => acts.current.select(id), expand: (id) => acts.current.expand(id) },
          calm,
          (done) => setState(done ? 'still' : 'arranging'),
        );
        drawing.current = drawn;
        drawn.show(latest.current.shown, latest.current.selected);
        drawn.load(latest.current.graph);
      } catch {
        setState('undrawable');
      }
    };
    // Programs for the graphics card are dear: not for an effect that is undone at once.
    const timer = setTimeout(begin);
    return () => {
      clearTimeout(timer);
      drawing.current?.kill();
      drawing.current = null;
    };
  }, [scheme, calm, places]);

  useEffect(() => drawing.current?.load(graph), [graph]);
  useEffect(() => drawing.current?.show(shown, selected), [shown, selected]);
  useEffect(() => {
    if (selected !== null) drawing.current?.look(selected);
  }, [selected]);

  const onKey = (event: KeyboardEvent) => {
    const map = drawing.current;
    if (map === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in TOWARDS) {
      const next = map.next(event.key as Direction);
      if (next !== null) select(next);
    } else if (event.key === 'Escape') select(null);
    else if (event.key === '+') map.zoom('in');
    else if (event.key === '-') map.zoom('out');
    else if (event.key === '0') map.zoom('all');
    else if (selected !== null && event.key === 'Enter') open(selected);
    else if (selected !== null && event.key.toLowerCase() === 'e') expand(selected);
    else return;
    event.preventDefault();
  };

  if (state === 'undrawable') {
    return (
      <div className={classes.frame}>
        <Empty title="This browser draws no map">It needs WebGL 2. The table says the same.</Empty>
      </div>
    );
  }
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.canvas}
        role="application"
        aria-roledescription="map of cards"
        aria-label="Cards and their edges. Arrow keys go to a neighbour, Enter opens the card, E loads its neighbours, plus, minus and 0 zoom. The table has the same as a list."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a map is walked with the arrow keys
        tabIndex={0}
        data-state={state}
        onKeyDown={onKey}
      />
      <div className={classes.tools}>
        <Tool label="Closer" icon={IconPlus} act={() => drawing.current?.zoom('in')} />
        <Tool label="Farther" icon={IconMinus} act={() => drawing.current?.zoom('out')} />
        <Tool label="All of it" icon={IconFocusCentered} act={() => drawing.current?.zoom('all')} />
        <Tool
          label="Arrange anew"
          icon={IconArrowsShuffle}
          act={() => drawing.current?.layOutAnew(graph)}
        />
        {state === 'arranging' && <Loader size="xs" m={6} role="status" aria-label="Arranging" />}
      </div>
      <div className={classes.hint} aria-hidden>
        Arrows walk · E loads neighbours · Enter opens
      </div>
    </div>
  );
}

function Tool({ label, icon: Icon, act }: { label: string; icon: typeof IconPlus; act(): void }) {
  return (
    <Tooltip label={label} position="left">
      <ActionIcon variant="default" size="md" onClick={act} aria-label={label}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
