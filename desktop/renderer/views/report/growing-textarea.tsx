/** An editable text of the report: it grows with its words, and marks lie behind them. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { moveCaret } from '../../state/report/caret.ts';
import type { Piece } from '../../state/report/marks.ts';
import { createTextHistory } from '../../state/report/text-history.ts';
import type { TextStep } from '../../state/report/text-history.ts';
import { fitHeight, useFittedHeight } from './fit-height.ts';

/** The field under a click: typing fills it in. */
function fieldAt(
  pieces: readonly Piece[],
  caret: number,
): { readonly start: number; readonly end: number } | undefined {
  let start = 0;
  for (const { text, isField } of pieces) {
    const end = start + text.length;
    if (isField && start < caret && caret < end) return { start, end };
    start = end;
  }
  return undefined;
}

const hasMark = ({ origin, warned, doubted, misspelt, isField, cited }: Piece): boolean =>
  origin !== null || warned || doubted || misspelt || isField || cited;

/** A text area as high as its text, with marks behind its words. */
export function GrowingTextarea({
  id,
  label,
  value,
  onValue,
  placeholder,
  onLeave,
  pieces = [],
  spellcheck = true,
  saidIn,
  onHear,
  oneLine = false,
  readOnly = false,
  class: name = 'document-text',
}: {
  id?: string;
  label: string;
  value: string;
  onValue: (text: string) => void;
  placeholder?: string;
  /** Receives the selected words when the focus leaves. */
  onLeave?: (selected: string) => void;
  pieces?: readonly Piece[];
  /** Whether the browser checks the spelling. */
  spellcheck?: boolean;
  /** The section whose words are marked during playback. */
  saidIn?: string | undefined;
  /** A click with Alt, Ctrl or ⌘ plays the word at its caret. */
  onHear?: (caret: number) => void;
  oneLine?: boolean;
  readOnly?: boolean;
  class?: string;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const history = useMemo(() => createTextHistory(value), []);
  const before = area.current && { value: area.current.value, caret: area.current.selectionStart };
  useLayoutEffect(() => {
    const element = area.current;
    history.show(value);
    // When the text changes elsewhere, the caret must keep its position.
    if (element && before && before.value !== value && element === globalThis.document.activeElement) {
      const caret = moveCaret(before.value, value, before.caret);
      element.setSelectionRange(caret, caret);
    }
    if (element) fitHeight(element);
  }, [value]);
  useFittedHeight(area);
  const note = (field: HTMLTextAreaElement, event: InputEvent): void => {
    const text = oneLine ? field.value.replace(/\n/g, ' ') : field.value;
    history.note({ text, caret: field.selectionEnd }, event);
    onValue(text);
  };
  /** Undoes or redoes the last change. */
  const step = (to: TextStep | undefined): void => {
    const field = area.current;
    if (!field || !to || readOnly) return;
    field.value = to.text;
    field.setSelectionRange(to.caret, to.caret);
    onValue(to.text);
  };
  const field = (
    <textarea
      id={id}
      ref={area}
      class={`document-field ${name}`}
      aria-label={label}
      rows={1}
      spellcheck={spellcheck}
      readOnly={readOnly}
      value={value}
      placeholder={placeholder}
      onClick={({ altKey, ctrlKey, metaKey, currentTarget: { selectionStart: start, selectionEnd: end } }) => {
        if (altKey || ctrlKey || metaKey) return onHear?.(start);
        const field = start === end ? fieldAt(pieces, start) : undefined;
        if (field) area.current?.setSelectionRange(field.start, field.end);
      }}
      onBlur={({ currentTarget: { selectionStart, selectionEnd } }) =>
        onLeave?.(value.slice(selectionStart, selectionEnd).trim())
      }
      onKeyDown={(event) => {
        const key = event.key.toLowerCase();
        const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
        if (oneLine && isPlain && key === 'enter') event.preventDefault();
        if (isPlain || event.altKey || (key !== 'z' && key !== 'y')) return;
        event.preventDefault();
        step(key === 'y' || event.shiftKey ? history.redo() : history.undo());
      }}
      // Undo and redo from the browser's menu.
      onBeforeInput={(event) => {
        const { inputType } = event as InputEvent;
        if (inputType !== 'historyUndo' && inputType !== 'historyRedo') return;
        event.preventDefault();
        step(inputType === 'historyRedo' ? history.redo() : history.undo());
      }}
      onInput={(event) => note(event.currentTarget, event as InputEvent)}
    />
  );
  if (oneLine) return field;
  const isMarked = saidIn !== undefined || pieces.some(hasMark);
  return (
    <div class="document-marked">
      {isMarked && (
        <div class={`document-field document-marks ${name}`} data-said-in={saidIn} aria-hidden="true">
          {pieces.map(({ text, origin, warned, doubted, misspelt, isField, cited }, at) => {
            const marks = [
              origin && `mark-origin mark-${origin}`,
              warned && 'mark-warned',
              doubted && 'mark-doubted',
              misspelt && 'mark-misspelt',
              isField && 'mark-field',
              cited && 'mark-cited',
            ];
            const classes = marks.filter(Boolean).join(' ');
            return classes === '' ? (
              text
            ) : (
              <mark key={at} class={classes}>
                {text}
              </mark>
            );
          })}
        </div>
      )}
      {field}
    </div>
  );
}
