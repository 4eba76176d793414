/**
 * Undo and redo for one text. The browser's own history breaks if anything but a key changes the text: its redo then
 * inserts old words twice. Independent of the DOM.
 */
import { findChange } from '../../../../src/domain/text-change.ts';

/** A text and the caret after the change. */
export interface TextStep {
  readonly text: string;
  readonly caret: number;
}

export interface TextHistory {
  /** Records a change by the person. Consecutive letters are one step, and so are consecutive deletions. */
  note(next: TextStep, input: Pick<InputEvent, 'inputType' | 'data'>): void;
  /** Takes over the text on the screen. A different text comes from elsewhere and clears the history. */
  show(text: string): void;
  /** `undefined`: there is nothing to undo. */
  undo(): TextStep | undefined;
  /** `undefined`: there is nothing to redo. */
  redo(): TextStep | undefined;
}

/** Maximum number of steps. */
const maxSteps = 200;

type Run = 'letters' | 'deletion' | null;

function classifyInput({ inputType, data }: Pick<InputEvent, 'inputType' | 'data'>): Run {
  if (inputType.startsWith('deleteContent')) return 'deletion';
  return inputType === 'insertText' && data !== null && [...data].length === 1 ? 'letters' : null;
}

/** After the part that differs from the previous text. */
function caretIn(text: string, before: string): number {
  const { from, by } = findChange(before, text);
  return from + by.length;
}

export function createTextHistory(start: string): TextHistory {
  let text = start;
  let caret = start.length;
  let before: readonly string[] = [];
  let after: readonly string[] = [];
  /** The kind of step that the next key may extend. */
  let running: Run = null;

  /** Whether the caret has not moved since the last change. */
  const goesOn = (next: TextStep): boolean =>
    next.text.startsWith(text.slice(0, Math.min(caret, next.caret))) && next.text.endsWith(text.slice(caret));
  const goTo = (next: string): TextStep => {
    caret = caretIn(next, text);
    text = next;
    running = null;
    return { text, caret };
  };

  return {
    note(next, input) {
      if (next.text === text) return;
      const run = classifyInput(input);
      if (run === null || run !== running || !goesOn(next)) before = [...before, text].slice(-maxSteps);
      running = run;
      after = [];
      ({ text, caret } = next);
    },
    show(shown) {
      if (shown === text) return;
      goTo(shown);
      before = [];
      after = [];
    },
    undo() {
      const previous = before.at(-1);
      if (previous === undefined) return undefined;
      before = before.slice(0, -1);
      after = [...after, text];
      return goTo(previous);
    },
    redo() {
      const next = after.at(-1);
      if (next === undefined) return undefined;
      after = after.slice(0, -1);
      before = [...before, text];
      return goTo(next);
    },
  };
}
