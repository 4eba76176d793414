/** What somebody types over an open field of a report. */
import { describe, expect, it } from 'vitest';
import { endsWithUnit, replaceField } from '../../../desktop/renderer/state/report/field-input.ts';

/** What stands in the text after these letters, typed one by one over its only field; `|` is the caret. */
function typedOver(text: string, letters: string): string {
  const field = /\[[^\]]*\]/.exec(text)!;
  const at = { start: field.index, end: field.index + field[0].length };
  let typed = '';
  for (const [n, letter] of [...letters].entries()) {
    const input = replaceField(text, at, typed, letter);
    if (input?.kind === 'choosing') ({ typed } = input);
    else if (input?.kind === 'put') {
      const before = text.slice(0, at.start) + input.text.slice(0, input.text.length - input.suffix.length);
      return `${before}${letters.slice(n + 1)}|${input.suffix}${text.slice(at.end)}`;
    } else if (input === undefined) return text.slice(0, at.start) + letters + text.slice(at.end);
  }
  return text;
}

describe('a blank', () => {
  it.each([
    ['Nodule of [__ mm] in the liver.', '12', 'Nodule of 12| mm in the liver.'],
    ['Nódulo com [__ mm].', '3,2 x 1,8', 'Nódulo com 3,2 x 1,8| mm.'],
    ['EF [__ %].', '62', 'EF 62|%.'],
    ['[volume: __ mL]', '40', '40| mL'],
    ['Seen on [__].', 'Monday', 'Seen on Monday.'],
    ['See [1].', '2', 'See 2.'],
  ])('%s, typed %s', (text, letters, after) => expect(typedOver(text, letters)).toBe(after));

  it('has one unit if one is typed or pasted', () => {
    for (const data of ['12 mm', '12mm', '1,2 cm', '62%', '38 °C', '5 mL']) expect(endsWithUnit(data)).toBe(true);
    for (const data of ['12', '3 x', '3 x 4', '5 a', '5 e 7', 'two', 'mm']) expect(endsWithUnit(data)).toBe(false);
    expect(replaceField('[__ mm]', { start: 0, end: 7 }, '', '1.2 cm')).toEqual({
      kind: 'put',
      text: '1.2 cm',
      suffix: '',
    });
  });
});

describe('a choice', () => {
  const text = 'Cyst in the [side: right|left|right and left] kidney.';
  it.each([
    ['left', 'Cyst in the left| kidney.'],
    ['LEFT', 'Cyst in the left| kidney.'],
    ['right and left', 'Cyst in the right and left| kidney.'],
    // Another choice begins so: what follows decides.
    ['right', text],
    ['right,', 'Cyst in the right,| kidney.'],
    ['le', text],
    ['upper', text],
    ['12', text],
    [' ', text],
  ])('%s', (letters, after) => expect(typedOver(text, letters)).toBe(after));

  it('names the choice that begins so, and takes none but its choices by pasting', () => {
    const at = { start: 12, end: 45 };
    expect(replaceField(text, at, 'l', 'e')).toEqual({ kind: 'choosing', typed: 'le', choice: 'left' });
    expect(replaceField(text, at, '', 'left')).toMatchObject({ kind: 'put', text: 'left' });
    expect(replaceField(text, at, '', 'left upper')).toEqual({ kind: 'refused' });
    expect(replaceField(text, { start: 13, end: 45 }, '', 'left upper')).toBeUndefined();
  });
});
