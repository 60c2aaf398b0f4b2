import type { Dimension } from '../dimensions';
import type { Fact } from './facts';
import { valuesIn } from './values';

const CONTRAST = /\b(with(?:out)? [^.;:]{3,120}?) it failed, with ([^.;:]{1,80}?) it worked/gi;
const ARROW =
  /([\w -]{3,30}?) (\S+(?: (?:morning|midday|afternoon|evening))?) → (\w+ (?:morning|midday|afternoon|evening)|[^\s,;)]+)/g;

/** What changed, told beside the point: `after a failure with another batch size (180)`, `180 → 100`. */
export function withoutAsides(
  whole: string,
  dimensions: readonly Dimension[],
): { text: string; facts: Fact[] } {
  const facts: Fact[] = [];
  // Of several things that changed nobody knows which it was.
  const isOneChange = (whole.match(ARROW) ?? []).length === 1;
  const text = whole
    .replace(/,? ?\b(?:otherwise|or else|or it|or they)\b[^.;]*/gi, ' ')
    .replace(/,? ?after the same call had failed before/gi, ' ')
    .replace(/,? ?after a failure with ((?:\([^)]*\)|[^.;:»(])*)/gi, (_all, aside: string) => {
      const several = /\(.*\(/.test(aside) || / and /.test(aside);
      const said = aside.replace(/\(([^)]*)\)/g, ' $1');
      if (!several) facts.push(...tried(said, 'out', dimensions));
      return ' ';
    })
    .replace(CONTRAST, (all: string, bad: string, good: string) => {
      const out = tried(bad, 'out', dimensions);
      const [first] = out;
      if (first === undefined || out.length > 1) return all;
      const one = dimensions.filter(({ param }) => param === first.param);
      const words = good.split(/,? or |, /).map((value) => `${first.param} ${value}`);
      facts.push(...out, ...tried(`${good}; ${words.join('; ')}`, 'works', one));
      return ' ';
    })
    .replace(ARROW, (all: string, name: string, before: string, after: string) => {
      const changed = [
        ...(isOneChange ? tried(`${name} ${before}`, 'out', dimensions) : []),
        ...tried(`${name} ${after}`, 'works', dimensions),
      ];
      facts.push(...changed);
      return changed.length === 0 ? all : ' ';
    });
  return { text, facts };
}

/** The values that stand in a text, as tried. */
export function tried(
  text: string,
  says: 'works' | 'out',
  dimensions: readonly Dimension[],
): Fact[] {
  return dimensions.flatMap((dimension) => {
    const choices = valuesIn(dimension, text);
    return choices.length === 0 ? [] : [{ param: dimension.param, says, choices }];
  });
}
