import { UnstyledButton } from '@mantine/core';
import {
  CARD_KINDS,
  type CardKind,
  EDGE_TYPES,
  type EdgeType,
} from '../../../../src/contracts/names';
import { EDGE_FORMS, KIND_FORMS } from './forms';
import classes from './graph.module.css';
import { EdgeSample, KindSample, StandingSample } from './samples';
import type { Shown } from './shown';
import { toggled, type View, type ViewSearch } from './use-view';

/** What shapes and lines mean; each turns its kind or type off and on. */
export function Legend({
  view,
  shown,
  change,
}: {
  view: View;
  shown: Shown;
  change(changes: ViewSearch, step?: boolean): void;
}) {
  const kinds = countsOf<CardKind>(shown.nodes.map(({ kind }) => kind));
  const types = countsOf<EdgeType>(shown.edges.map(({ type }) => type));
  return (
    <div>
      <fieldset className={classes.legend}>
        <legend>Cards</legend>
        {CARD_KINDS.map((kind) => (
          <UnstyledButton
            key={kind}
            className={classes.chip}
            aria-pressed={view.kinds.has(kind)}
            onClick={() => change({ kinds: toggled(CARD_KINDS, view.kinds, kind) }, true)}
          >
            <KindSample kind={kind} />
            {KIND_FORMS[kind].label}
            <span className="numbers">{kinds.get(kind) ?? 0}</span>
          </UnstyledButton>
        ))}
      </fieldset>
      <fieldset className={classes.legend} style={{ marginTop: 6 }}>
        <legend>Edges</legend>
        {EDGE_TYPES.map((type) => (
          <UnstyledButton
            key={type}
            className={classes.chip}
            aria-pressed={view.edgeTypes.has(type)}
            onClick={() => change({ edges: toggled(EDGE_TYPES, view.edgeTypes, type) }, true)}
          >
            <EdgeSample type={type} />
            {EDGE_FORMS[type].label}
            <span className="numbers">{types.get(type) ?? 0}</span>
          </UnstyledButton>
        ))}
        <span className={classes.key}>
          <StandingSample standing="conflict" /> open contradiction
        </span>
        <span className={classes.key}>
          <StandingSample standing="satisfied" /> answered by a later success
        </span>
        <span className={classes.key}>
          <StandingSample standing="failed" /> failed
        </span>
      </fieldset>
    </div>
  );
}

function countsOf<T>(things: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
}
