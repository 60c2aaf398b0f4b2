import fc from 'fast-check';
import { ERROR_FAMILIES } from '../src/contracts/names';
import type { SkillDocument } from '../src/contracts/skill';
import { documentIn } from '../src/domain/skills/markdown-in';
import { markdownOf } from '../src/domain/skills/markdown-out';
import { oneLine } from '../src/domain/skills/one-line';
import { skillMdIn, skillMdOf, UnreadableSkill } from '../src/domain/skills/skill-md';

/** Any words, and those that Markdown and YAML would take for something else. */
const MARKS = [
  '# a',
  '- b',
  '1. c',
  '---',
  '```',
  '~~~',
  '## Steps',
  'When: x',
  'Then: y',
  '\\',
  '* d',
];
const line = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }),
    fc.lorem({ maxCount: 6 }),
    fc.constantFrom(...MARKS, ': colon', 'no', '123', '"quoted"', '{a: b}', '&x *x', '> e', '👷 a'),
  )
  .map(oneLine)
  .filter((text) => text !== '');
const label = fc
  .stringMatching(/^[A-Za-z0-9_./:`'" -]{1,20}$/)
  .map((text) => text.trim())
  .filter((text) => text !== '');
const left = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const defined = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

const document: fc.Arbitrary<SkillDocument> = fc.record({
  purpose: line,
  preconditions: fc.array(line, { maxLength: 4 }),
  steps: fc.array(
    fc.record({ text: line, service: left(label), operation: left(label) }).map(defined),
    { maxLength: 4 },
  ) as fc.Arbitrary<SkillDocument['steps']>,
  failure_handling: fc.array(
    fc
      .record({
        when: line,
        then: line,
        error_family: left(fc.constantFrom(...ERROR_FAMILIES)),
        error_signature: left(label),
      })
      .map(defined),
    { maxLength: 4 },
  ) as fc.Arbitrary<SkillDocument['failure_handling']>,
  causes: fc.array(line, { maxLength: 4 }),
});

describe('a SKILL.md', () => {
  it('reads back as the document that it was written from', () => {
    fc.assert(
      fc.property(
        document,
        line,
        fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$/),
        fc.nat(1_000),
        (written, description, name, version) => {
          const body = markdownOf(written);
          const front = { name, description, version, status: 'current' };
          const read = skillMdIn(skillMdOf({ ...front, body }));
          expect(read).toEqual({ ...front, body: body.trim() });
          expect(documentIn(read.body, read.description)).toEqual(written);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps a body in free Markdown as it is, whatever stands in it', () => {
    const body = fc
      .array(fc.oneof(line, fc.constantFrom('', ...MARKS)), { maxLength: 12 })
      .map((lines) => lines.join('\n').trim());
    fc.assert(
      fc.property(body, line, (text, description) => {
        const read = skillMdIn(skillMdOf({ name: 'free', description, body: text }));
        expect(read).toEqual({ name: 'free', description, body: text });
      }),
      { numRuns: 300 },
    );
  });

  it('of another tool is read by its headings', () => {
    const read = skillMdIn(
      [
        '\uFEFF---',
        'name: Refund An Order',
        'description: >-',
        '  Refunds an order,',
        '  in two steps.',
        'license: MIT',
        'allowed-tools: [Bash, Read]',
        '---',
        '# Refund an order',
        '',
        '## Prerequisites:',
        '* The order is paid,',
        '  and delivered',
        '',
        '## Instructions',
        '1) Look the order up with `get_order`',
        '2) Call `refund`',
        '   - with its amount',
        '```',
        '## Steps',
        '1. not a step',
        '```',
        '',
        '## Troubleshooting',
        '- already refunded: tell the customer',
        '- Anything else',
      ].join('\r\n'),
    );
    expect(read).toMatchObject({
      name: 'refund-an-order',
      description: 'Refunds an order, in two steps.',
    });
    expect(documentIn(read.body, read.description)).toEqual({
      purpose: 'Refunds an order, in two steps.',
      preconditions: ['The order is paid, and delivered'],
      steps: [
        { text: 'Look the order up with `get_order`' },
        { text: 'Call `refund` with its amount' },
      ],
      failure_handling: [
        { when: 'already refunded', then: 'tell the customer' },
        { when: 'Anything else', then: 'Anything else' },
      ],
      causes: [],
    });
  });

  it('without a heading that is known is a body alone', () => {
    const body = 'Be kind.\n\n## Voice\n\n- short';
    expect(documentIn(body, 'How we write')).toEqual({
      purpose: 'How we write',
      preconditions: [],
      steps: [],
      failure_handling: [],
      causes: [],
    });
  });

  it.each([
    ['nothing', ''],
    ['no front matter', '# A skill'],
    ['an open front matter', '---\nname: a\ndescription: b\n'],
    ['no YAML', '---\nname: [a\ndescription: b\n---\n'],
    ['a list', '---\n- a\n---\n'],
    ['no name', '---\ndescription: b\n---\n'],
    ['no description', '---\nname: a\n---\n'],
    ['a name of nothing that is kept', '---\nname: "…"\ndescription: b\n---\n'],
    ['aliases that multiply', '---\na: &a [x, x]\nb: &b [*a, *a]\nname: *b\ndescription: d\n---\n'],
  ])('with %s is refused', (_what, text) => {
    expect(() => skillMdIn(text)).toThrow(UnreadableSkill);
  });
});
