import type { CardKind, EdgeType } from '../../../../src/contracts/names';

export type ShapeName =
  | 'circle'
  | 'triangle'
  | 'square'
  | 'diamond'
  | 'hexagon'
  | 'pentagon'
  | 'star'
  | 'cross';

/** How a card is drawn: each kind has a shape of its own, so that no colour has to be told from another. */
export const KIND_FORMS: Record<CardKind, { shape: ShapeName; color: string; label: string }> = {
  experience: { shape: 'circle', color: '#1c7ed6', label: 'experience' },
  constraint: { shape: 'triangle', color: '#d9480f', label: 'constraint' },
  delegation: { shape: 'hexagon', color: '#9c36b5', label: 'delegation' },
  knowledge: { shape: 'square', color: '#0c8599', label: 'knowledge' },
  insight: { shape: 'star', color: '#e67700', label: 'insight' },
  convention: { shape: 'diamond', color: '#087f5b', label: 'convention' },
  competence: { shape: 'pentagon', color: '#4263eb', label: 'competence' },
  skill_lesson: { shape: 'cross', color: '#5c940d', label: 'skill lesson' },
};

export type HeadName = 'none' | 'arrow' | 'bar' | 'circle' | 'diamond' | 'square';

/** How an edge is drawn: dash and head differ besides the colour. Lengths in pixels. */
export interface EdgeForm {
  color: string;
  label: string;
  width: number;
  /** 0: an unbroken line. */
  dash: number;
  gap: number;
  head: HeadName;
  tail: HeadName;
}

const line = { width: 1.8, dash: 0, gap: 0, tail: 'none' } as const;

export const EDGE_FORMS: Record<EdgeType, EdgeForm> = {
  supports: { ...line, color: '#2b8a3e', label: 'supports', head: 'arrow' },
  constrains: { ...line, color: '#d9480f', label: 'constrains', width: 2.6, head: 'bar' },
  satisfies: { ...line, color: '#0c8599', label: 'satisfies', dash: 7, gap: 4, head: 'circle' },
  conflicts: {
    ...line,
    color: '#e03131',
    label: 'conflicts',
    width: 3,
    head: 'diamond',
    tail: 'diamond',
  },
  derived_from: {
    ...line,
    color: '#868e96',
    label: 'derived from',
    dash: 2.5,
    gap: 3,
    head: 'arrow',
  },
  supersedes: { ...line, color: '#ae3ec9', label: 'supersedes', dash: 12, gap: 4, head: 'square' },
};

/** A ring of this colour: two cards say otherwise and nobody has decided. */
export const CONFLICT_COLOR = '#e03131';
/** A ring and a tick: a later success has answered it. */
export const SATISFIED_COLOR = '#2b8a3e';

/** Corners of a shape of radius 1 around 0/0, y downwards; null: a circle. */
export function cornersOf(shape: ShapeName): [number, number][] | null {
  const regular = (corners: number, turn = 0): [number, number][] =>
    Array.from({ length: corners }, (_, n) => {
      const angle = (2 * Math.PI * (n + turn)) / corners;
      return [Math.sin(angle), -Math.cos(angle)];
    });
  switch (shape) {
    case 'circle':
      return null;
    case 'triangle':
      return regular(3);
    case 'square':
      return regular(4, 0.5);
    case 'diamond':
      return regular(4);
    case 'hexagon':
      return regular(6);
    case 'pentagon':
      return regular(5);
    case 'star':
      return regular(10).map(([x, y], n) =>
        n % 2 === 0 ? [x, y] : [x * STAR_WAIST, y * STAR_WAIST],
      );
    case 'cross':
      return [
        [-CROSS_ARM, -1],
        [CROSS_ARM, -1],
        [CROSS_ARM, -CROSS_ARM],
        [1, -CROSS_ARM],
        [1, CROSS_ARM],
        [CROSS_ARM, CROSS_ARM],
        [CROSS_ARM, 1],
        [-CROSS_ARM, 1],
        [-CROSS_ARM, CROSS_ARM],
        [-1, CROSS_ARM],
        [-1, -CROSS_ARM],
        [-CROSS_ARM, -CROSS_ARM],
      ];
  }
}

/** Radius of a star between its points, and half the width of a cross's arms; of a radius of 1. */
export const STAR_WAIST = 0.5;
export const CROSS_ARM = 0.42;
