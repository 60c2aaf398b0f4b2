import type { MultiDirectedGraph } from 'graphology';
import { Sigma } from 'sigma';
import {
  extremityArrow,
  extremityBar,
  extremityCircle,
  extremityDiamond,
  extremitySquare,
  layerFill,
  pathLine,
} from 'sigma/rendering';
import type { GraphNode } from '../../../../src/contracts/graph';
import { KIND_FORMS } from './forms';
import { dashLayer, MARK, STANDING, shapes, standingLayer } from './shaders';

/** A card as it is drawn. */
export interface NodeLook {
  [name: string]: unknown;
  x: number;
  y: number;
  size: number;
  color: string;
  label: string;
  shape: string;
  standing: number;
  mark: number;
  opacity: number;
  visibility: 'visible' | 'hidden';
  labelVisibility: 'visible' | 'auto' | 'hidden';
  selected: boolean;
}

export interface EdgeLook {
  [name: string]: unknown;
  size: number;
  color: string;
  head: string;
  tail: string;
  dash: number;
  gap: number;
  opacity: number;
  visibility: 'visible' | 'hidden';
}

const COLORS = {
  light: { text: '#212529', back: '#ffffff', shadow: 'rgba(0, 0, 0, 0.35)' },
  dark: { text: '#f1f3f5', back: '#2e2e2e', shadow: 'rgba(0, 0, 0, 0.8)' },
};
const LABEL_CHARS = 46;

export function lookOf(node: GraphNode, scale: number) {
  const { shape, color } = KIND_FORMS[node.kind];
  const standing = node.open_conflict ? 'conflict' : node.satisfied ? 'satisfied' : 'none';
  const mark = node.satisfied ? 'answered' : node.sign === 'failed' ? 'failed' : 'none';
  const large = standing === 'conflict' ? 5 : standing === 'satisfied' ? 1.5 : 0;
  const summary = node.summary.replace(/\s+/g, ' ');
  return {
    size: (4.5 + Math.min(9, 1.5 * Math.sqrt(node.degree)) + large) * scale,
    color,
    shape,
    label: summary.length > LABEL_CHARS ? `${summary.slice(0, LABEL_CHARS)}…` : summary,
    standing: STANDING[standing],
    mark: MARK[mark],
    opacity: 1,
    visibility: 'visible' as const,
    labelVisibility: 'auto' as NodeLook['labelVisibility'],
    selected: false,
  };
}

/** @throws Error where the browser has no WebGL 2 */
export function newSigma(
  graph: MultiDirectedGraph<NodeLook, EdgeLook>,
  container: HTMLElement,
  scheme: 'light' | 'dark',
): Sigma<NodeLook, EdgeLook> {
  const { text, back, shadow } = COLORS[scheme];
  const sigma = new Sigma(graph, container, {
    primitives: {
      nodes: {
        shapes: shapes(),
        layers: [layerFill(), standingLayer()],
        variables: {
          standing: { type: 'number', default: 0 },
          mark: { type: 'number', default: 0 },
        },
      },
      edges: {
        paths: [pathLine()],
        extremities: [
          extremityArrow({ lengthRatio: 5, widthRatio: 4 }),
          extremityBar({ lengthRatio: 1, widthRatio: 5 }),
          extremityCircle({ lengthRatio: 4, widthRatio: 4 }),
          extremityDiamond({ lengthRatio: 4, widthRatio: 3 }),
          extremitySquare({ lengthRatio: 3.5, widthRatio: 3.5 }),
        ],
        variables: { dash: { type: 'number', default: 0 }, gap: { type: 'number', default: 0 } },
        layers: [dashLayer()],
      },
    },
    styles: {
      nodes: {
        x: { attribute: 'x' },
        y: { attribute: 'y' },
        size: (look, state) => look.size * (look.selected ? 1.5 : state.isHovered ? 1.25 : 1),
        color: { attribute: 'color' },
        shape: { attribute: 'shape' },
        opacity: (look, state) => (state.isHovered ? 1 : look.opacity),
        visibility: { attribute: 'visibility' },
        standing: { attribute: 'standing' },
        mark: { attribute: 'mark' },
        label: { attribute: 'label' },
        labelColor: text,
        labelSize: 12,
        labelVisibility: (look, state) => (state.isHovered ? 'visible' : look.labelVisibility),
        backdropVisibility: (look, state) =>
          look.selected || state.isHovered ? 'visible' : 'hidden',
        backdropColor: back,
        backdropShadowColor: shadow,
        backdropShadowBlur: 10,
        backdropPadding: 5,
        depth: (look, state) => (look.selected || state.isHovered ? 'topNodes' : 'nodes'),
        cursor: 'pointer',
      },
      edges: {
        size: { attribute: 'size' },
        color: { attribute: 'color' },
        opacity: { attribute: 'opacity' },
        visibility: { attribute: 'visibility' },
        head: { attribute: 'head' },
        tail: { attribute: 'tail' },
        dash: { attribute: 'dash' },
        gap: { attribute: 'gap' },
        path: 'straight',
      },
    },
    settings: {
      // The hint of another setting brings a style element, which the policy of the page forbids.
      gestureTarget: 'graph',
      allowInvalidContainer: true,
      itemSizesReference: 'screen',
      labelDensity: 0.6,
      labelGridCellSize: 160,
      labelRenderedSizeThreshold: 9,
      minEdgeThickness: 0.6,
      stagePadding: 36,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
      doubleClickZoomingRatio: 1,
    },
  });
  return sigma as unknown as Sigma<NodeLook, EdgeLook>;
}
