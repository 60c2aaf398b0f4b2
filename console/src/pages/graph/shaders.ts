import {
  type EdgeLayer,
  type FragmentLayer,
  type SDFShape,
  sdfCircle,
  sdfDiamond,
  sdfSquare,
  sdfTriangle,
} from 'sigma/rendering';
import { CONFLICT_COLOR, CROSS_ARM, SATISFIED_COLOR, STAR_WAIST } from './forms';

/** Of WebGL's own numbers. */
const FLOAT = 0x1406;

const number = (value: number) => value.toFixed(5);

/** The distance to the nearest side of a polygon whose corners lie on a circle. */
const polygon = (name: string, corners: number): SDFShape => ({
  name,
  glsl: `
float sdf_${name}(vec2 uv, float size) {
  float step = ${number((2 * Math.PI) / corners)};
  float side = floor(atan(uv.x, uv.y) / step) + 0.5;
  float off = atan(uv.x, uv.y) - side * step;
  return cos(off) * length(uv) - size * cos(step * 0.5);
}`,
  uniforms: [],
  inradiusFactor: Math.cos(Math.PI / corners),
});

const star: SDFShape = {
  name: 'star',
  glsl: `
float sdf_star(vec2 uv, float size) {
  float step = ${number((2 * Math.PI) / 5)};
  float angle = abs(mod(atan(uv.x, uv.y) + step * 0.5, step) - step * 0.5);
  vec2 p = length(uv) * vec2(sin(angle), cos(angle));
  vec2 tip = vec2(0.0, size);
  vec2 side = size * ${number(STAR_WAIST)} * vec2(sin(step * 0.5), cos(step * 0.5)) - tip;
  return dot(p - tip, normalize(vec2(-side.y, side.x)));
}`,
  uniforms: [],
  inradiusFactor: STAR_WAIST,
};

const cross: SDFShape = {
  name: 'cross',
  glsl: `
float sdf_cross(vec2 uv, float size) {
  vec2 p = abs(uv);
  float arm = size * ${number(CROSS_ARM)};
  vec2 flat_arm = p - vec2(size, arm);
  vec2 tall_arm = p - vec2(arm, size);
  return min(max(flat_arm.x, flat_arm.y), max(tall_arm.x, tall_arm.y));
}`,
  uniforms: [],
  inradiusFactor: CROSS_ARM,
};

export const shapes = (): SDFShape[] => [
  sdfCircle(),
  sdfTriangle(),
  sdfSquare(),
  sdfDiamond(),
  polygon('hexagon', 6),
  polygon('pentagon', 5),
  star,
  cross,
];

/** What `standing` and `mark` of a card are on the wire to the graphics card. */
export const STANDING = { none: 0, satisfied: 1, conflict: 2 } as const;
export const MARK = { none: 0, failed: 1, answered: 2 } as const;

const rgb = (hex: string) =>
  `vec3(${[1, 3, 5].map((at) => number(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(', ')})`;

/** Over the fill: a ring that follows the shape, and a cross or a tick in the middle. */
export const standingLayer = (): FragmentLayer => ({
  name: 'standing',
  uniforms: [],
  attributes: [
    { name: 'standing', size: 1, type: FLOAT, source: 'standing' },
    { name: 'mark', size: 1, type: FLOAT, source: 'mark' },
  ],
  glsl: `
float near_segment(vec2 p, vec2 a, vec2 b) {
  vec2 along = b - a;
  return length(p - a - along * clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0));
}

vec4 layer_standing(float v_standing, float v_mark) {
  float radius = context.shapeSize * context.inradiusFactor;
  float depth = -context.sdf / radius;
  float soft = context.aaWidth / radius;
  vec4 color = vec4(0.0);
  if (v_mark > 0.5) {
    vec2 p = context.uv / radius;
    float away = v_mark < 1.5
      ? min(near_segment(p, vec2(-0.34, -0.34), vec2(0.34, 0.34)),
            near_segment(p, vec2(-0.34, 0.34), vec2(0.34, -0.34)))
      : min(near_segment(p, vec2(-0.42, 0.02), vec2(-0.1, -0.3)),
            near_segment(p, vec2(-0.1, -0.3), vec2(0.42, 0.36)));
    color = vec4(1.0, 1.0, 1.0, 1.0 - smoothstep(0.12, 0.12 + soft, away));
  }
  if (v_standing > 0.5) {
    float band = v_standing > 1.5 ? 0.4 : 0.2;
    float gap = band + 0.13;
    vec3 ring = v_standing > 1.5 ? ${rgb(CONFLICT_COLOR)} : ${rgb(SATISFIED_COLOR)};
    if (depth < gap) color = vec4(mix(ring, vec3(1.0), smoothstep(band - soft, band, depth)), 1.0);
  }
  return color;
}`,
});

/** An edge in its own colour, broken into dashes where it has some. */
export const dashLayer = (): EdgeLayer => ({
  name: 'pattern',
  uniforms: [],
  attributes: [
    { name: 'a_dash', size: 1, type: FLOAT, source: 'dash' },
    { name: 'a_gap', size: 1, type: FLOAT, source: 'gap' },
  ],
  glsl: `
vec4 layer_pattern(EdgeContext ctx) {
  if (v_dash < 0.1 || v_zone > 1.5) return v_color;
  float pixel = u_correctionRatio / u_sizeRatio;
  float dash = v_dash * pixel;
  float whole = (v_dash + v_gap) * pixel;
  float at = mod(ctx.distanceFromSource, whole);
  float inside = dash * 0.5 - abs(at - dash * 0.5);
  return vec4(v_color.rgb, v_color.a * smoothstep(-ctx.aaWidth, ctx.aaWidth, inside));
}`,
});
