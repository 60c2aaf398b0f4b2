import type { CardKind, EdgeType } from '../../../../src/contracts/names';
import { CONFLICT_COLOR, cornersOf, EDGE_FORMS, KIND_FORMS, SATISFIED_COLOR } from './forms';

/** The shape of a kind, as the map draws it. */
export function KindSample({ kind, size = 14 }: { kind: CardKind; size?: number }) {
  const { shape, color } = KIND_FORMS[kind];
  const corners = cornersOf(shape);
  return (
    <svg width={size} height={size} viewBox="-1.1 -1.1 2.2 2.2" aria-hidden focusable="false">
      {corners === null ? (
        <circle r={0.9} fill={color} />
      ) : (
        <polygon points={corners.map((at) => at.join(',')).join(' ')} fill={color} />
      )}
    </svg>
  );
}

/** The line of an edge type, with its dashes and its head. */
export function EdgeSample({ type }: { type: EdgeType }) {
  const { color, width, dash, gap, head, tail } = EDGE_FORMS[type];
  return (
    <svg width={34} height={12} viewBox="0 0 34 12" aria-hidden focusable="false">
      <line
        x1={tail === 'none' ? 1 : 5}
        y1={6}
        x2={28}
        y2={6}
        stroke={color}
        strokeWidth={width}
        strokeDasharray={dash === 0 ? undefined : `${dash} ${gap}`}
      />
      {head === 'arrow' && <polygon points="26,2 33,6 26,10" fill={color} />}
      {head === 'bar' && <rect x={27} y={1} width={2.5} height={10} fill={color} />}
      {head === 'circle' && <circle cx={29} cy={6} r={3.6} fill={color} />}
      {head === 'square' && <rect x={26} y={2.5} width={7} height={7} fill={color} />}
      {head === 'diamond' && <polygon points="25,6 29,2.5 33,6 29,9.5" fill={color} />}
      {tail === 'diamond' && <polygon points="0,6 4,2.5 8,6 4,9.5" fill={color} />}
    </svg>
  );
}

/** What rings and marks on a card say. */
export function StandingSample({ standing }: { standing: 'conflict' | 'satisfied' | 'failed' }) {
  const isConflict = standing === 'conflict';
  return (
    <svg width={16} height={16} viewBox="-8 -8 16 16" aria-hidden focusable="false">
      <circle
        r={7.5}
        fill={standing === 'failed' ? '#1c7ed6' : isConflict ? CONFLICT_COLOR : SATISFIED_COLOR}
      />
      {standing !== 'failed' && <circle r={isConflict ? 4.6 : 6} fill="#fff" />}
      {standing !== 'failed' && <circle r={isConflict ? 3.6 : 5} fill="#1c7ed6" />}
      {standing === 'satisfied' && (
        <path d="M-2.6 0 L-0.6 2 L2.8 -2.2" stroke="#fff" strokeWidth={1.6} fill="none" />
      )}
      {standing === 'failed' && (
        <path d="M-3 -3 L3 3 M-3 3 L3 -3" stroke="#fff" strokeWidth={1.8} fill="none" />
      )}
    </svg>
  );
}
