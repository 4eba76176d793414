import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { inertJson, isFit, mendText, shownLine, shownText, textKinds } from '../../src/domain/characters.ts';
import type { TextKind } from '../../src/contract/schema.ts';

/** Every class of character that matters here, with letters of many scripts between. */
const units = [
  ...'aÉñ山مन😀1 -^=.,;\'"\\',
  ...'\0\b\t\n\v\f\r\u001b\u007f\u0085\u009b',
  ...'\u00a0\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202e\u2060\u2066\u3164\ufeff\ufff9',
  ...'\u0301\ufe0f\u{e0100}\u{e0041}',
  '\ud800',
  '\udc00',
  '\u001b]52;c;QQ==\u0007',
];
const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 12 });
const harmful = /[\p{Cc}\p{Cs}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

describe('what is corrected and what is refused', () => {
  test.each([
    ['identifier', 'SL-1', 'SL-1', true],
    ['identifier', 'SL\u200b-1', 'SL\u200b-1', false],
    ['identifier', 'SL\u202e-1', 'SL\u202e-1', false],
    ['identifier', 'S\u00adL', 'S\u00adL', false],
    ['identifier', 'SL\u2028', 'SL\u2028', false],
    ['line', 'Ana\u202e Souza\u202c', 'Ana Souza', true],
    ['line', '\ufeffAna\u200b S\u00adouza\u2060', 'Ana Souza', true],
    ['line', 'Sil\u200cva', 'Silva', true],
    ['line', 'Ana\ufe0f', 'Ana', true],
    ['line', 'می\u200cخواهم', 'می\u200cخواهم', true],
    ['line', 'क्\u200dष', 'क्\u200dष', true],
    ['line', 'می\u200c', 'می', true],
    ['line', '👩\u200d⚕️ Ana', '👩\u200d⚕️ Ana', true],
    ['line', '葛\u{e0100}城', '葛\u{e0100}城', true],
    ['line', 'Ana\nSouza', 'Ana\nSouza', false],
    ['line', 'Ana\u001b[2J', 'Ana\u001b[2J', false],
    ['line', 'Ana\ud83d', 'Ana\ud83d', false],
    ['prose', 'a\tb\r\nc\n', 'a\tb\r\nc\n', true],
    ['prose', 'a\vb\fc\u0085d\u2028e\u2029f', 'a\nb\nc\nd\ne\nf', true],
    ['prose', 'a\0\u001b]52;c;x\u0007b', 'a]52;c;xb', true],
    ['prose', 'a\ud800b', 'a\ufffdb', true],
    ['prose', 'حسن\u200e 1', 'حسن\u200e 1', true],
  ] as const)('%s %j is %j, fit: %s', (kind, given, expected, fits) => {
    expect(mendText(kind, given)).toBe(expected);
    expect(isFit(kind, mendText(kind, given))).toBe(fits);
  });

  test.each(Object.keys(textKinds) as TextKind[])(
    '%s: correcting twice changes nothing more, and loses no letter',
    (kind) => {
      fc.assert(
        fc.property(text, (given) => {
          const once = mendText(kind, given);
          expect(mendText(kind, once)).toBe(once);
          const letters = (of: string) => [...of].filter((each) => /[a-zÉñ山مन😀1]/u.test(each)).join('');
          expect(letters(once)).toBe(letters(given));
          if (kind === 'prose') expect(isFit(kind, once)).toBe(true);
          if (kind !== 'prose' && isFit(kind, once)) expect(once).not.toMatch(harmful);
        }),
      );
    },
  );
});

describe('text for a terminal', () => {
  test.each([
    ['a\u001b[2J\tb\nc\u009bd', 'a [2J b c d'],
    ['\u001b]52;c;QQ==\u0007', ' ]52;c;QQ== '],
    ['exe\u202etxt', 'exe<U+202E>txt'],
    ['\ud800', '\ufffd'],
    ['\u{e0041}', '<U+E0041>'],
    ['João 山田 😀', 'João 山田 😀'],
  ])('%j as a line is %j', (given, expected) => {
    expect(shownLine(given)).toBe(expected);
  });

  test('a text keeps its lines, whatever ends them', () => {
    expect(shownText('a\r\nb\rc\vd\u2028e\n\nf\tg\u001bh')).toBe('a\nb\nc\nd\ne\n\nf g h');
  });

  test('nothing of it drives the terminal, and shown twice it is the same', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(shownLine(given)).not.toMatch(harmful);
        expect(shownText(given).replaceAll('\n', '')).not.toMatch(harmful);
        expect(shownLine(shownLine(given))).toBe(shownLine(given));
        expect(shownText(shownText(given))).toBe(shownText(given));
      }),
    );
  });

  test('JSON means the same, and does nothing', () => {
    // No name of a value has a backslash: Node 24 reads the name "\u2066" as "\\" where that was the name in an object before.
    const names = text.map((name) => name.replaceAll('\\', '/'));
    const values = fc.oneof(text, fc.dictionary(names, fc.array(text)));
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 2), (value, indent) => {
        const json = inertJson(JSON.stringify(value, null, indent));
        expect(json.replaceAll('\n', '')).not.toMatch(harmful);
        expect(JSON.parse(json)).toEqual(value);
      }),
    );
  });
});
