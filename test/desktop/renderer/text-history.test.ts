/** Taking back and bringing back what was typed into one text. */
import { expect, test } from 'vitest';
import { createTextHistory } from '../../../desktop/renderer/state/report/text-history.ts';
import type { TextHistory } from '../../../desktop/renderer/state/report/text-history.ts';
import * as fc from '../../support/properties.ts';

/** Types letter by letter at a place of the text. */
function type(history: TextHistory, before: string, at: number, letters: string): string {
  let [text, caret] = [before, at];
  for (const data of letters) {
    text = text.slice(0, caret) + data + text.slice(caret);
    caret += data.length;
    history.note({ text, caret }, { inputType: 'insertText', data });
  }
  return text;
}
const textOf = (step: { readonly text: string } | undefined) => step?.text;

test('letters that follow each other are one step, and a moved caret begins another', () => {
  const history = createTextHistory('Liver.');
  type(history, type(history, 'Liver.', 6, ' Spleen.'), 0, 'The ');
  expect(history.undo()).toEqual({ text: 'Liver. Spleen.', caret: 0 });
  expect(textOf(history.undo())).toBe('Liver.');
  expect(history.undo()).toBeUndefined();
  expect(history.redo()).toEqual({ text: 'Liver. Spleen.', caret: 14 });
  expect(textOf(history.redo())).toBe('The Liver. Spleen.');
  expect(history.redo()).toBeUndefined();
});

test('deletions that follow each other are one step, and not that of the letters before', () => {
  const history = createTextHistory('');
  type(history, '', 0, 'abc');
  history.note({ text: 'ab', caret: 2 }, { inputType: 'deleteContentBackward', data: null });
  history.note({ text: 'a', caret: 1 }, { inputType: 'deleteContentBackward', data: null });
  expect([textOf(history.undo()), textOf(history.undo())]).toEqual(['abc', '']);
});

test('a text that another person changed has no undo or redo', () => {
  const history = createTextHistory('');
  type(history, '', 0, 'mine');
  history.undo();
  history.show('theirs');
  expect([history.undo(), history.redo()]).toEqual([undefined, undefined]);
  type(history, 'theirs', 6, '!');
  expect(textOf(history.undo())).toBe('theirs');
});

test('any sequence of edits can be undone and redone, step by step', () => {
  const change = fc.record({
    text: fc.string({ maxLength: 6 }),
    caret: fc.nat(6),
    inputType: fc.constantFrom('insertText', 'insertFromPaste', 'deleteContentBackward', 'insertReplacementText'),
    data: fc.option(fc.string({ maxLength: 2 })),
  });
  fc.assert(
    fc.property(fc.string({ maxLength: 6 }), fc.array(change, { maxLength: 12 }), (start, changes) => {
      const history = createTextHistory(start);
      let last = start;
      for (const { text, caret, ...input } of changes) {
        history.note({ text, caret: Math.min(caret, text.length) }, input);
        last = text;
      }
      let [oldest, newest] = [last, start];
      for (let step = history.undo(); step; step = history.undo()) {
        expect(step.caret).toBeLessThanOrEqual(step.text.length);
        oldest = step.text;
      }
      for (let step = history.redo(); step; step = history.redo()) newest = step.text;
      expect(oldest).toBe(start);
      expect(newest).toBe(last);
    }),
  );
});
