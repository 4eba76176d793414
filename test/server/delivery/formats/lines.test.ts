import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { breakLines } from '../../../../server/delivery/formats/lines.ts';

/** Letters are one wide, capitals two. */
const widthOf = (text: string): number => text.length + (text.match(/[A-Z]/g)?.length ?? 0);
const lines = (text: string, width = 10): string[] => [...breakLines(text, { width, widthOf })];

test.each([
  ['one two three four', ['one two', 'three four']],
  ['one  two   three', ['one  two', 'three']],
  ['a\n\nb', ['a', '', 'b']],
  ['  in\n    deeper and on', ['  in', '    deeper', 'and on']],
  ['abcdefghijklmnopqrstuvwxyz', ['abcdefghij', 'klmnopqrst', 'uvwxyz']],
  ['to abcdefghijklmnop be', ['to', 'abcdefghij', 'klmnop be']],
  ['ABCDEFG', ['ABCDE', 'FG']],
  ['word     \nnext', ['word', 'next']],
  ['               far', ['far']],
  ['', ['']],
])('%j', (text, expected) => expect(lines(text)).toEqual(expected));

test('nothing is lost, nothing is wider than a line, and no line could have taken the next word', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'W', ' ', ' ', '\n', 'é', '-') });
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 12 }), (text, width) => {
      const found = lines(text, width);
      const bare = (some: string): string => some.replace(/[ \n]/g, '');
      expect(bare(found.join(''))).toBe(bare(text));
      for (const line of found) {
        expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(line).toBe(line.trimEnd());
      }
      expect(found.length).toBeGreaterThanOrEqual(text.split('\n').length);
    }),
    { numRuns: 2000 },
  );
});

test.each(['x', 'x ', ' ', 'X', 'word ', '\n', ' \n', '-'])(
  '%j a hundred thousand times: each is looked at twice',
  (unit) => {
    let looks = 0;
    const counted = (some: string): number => ((looks += some.length), widthOf(some));
    const text = unit.repeat(100_000);
    for (const _ of breakLines(text, { width: 80, widthOf: counted }));
    expect(looks).toBeLessThanOrEqual(2 * text.length + 2);
  },
);
