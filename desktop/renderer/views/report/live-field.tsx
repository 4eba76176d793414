/** A section of a report during dictation: words arrive while the person edits them. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { caretIn } from '../../../../src/reporting/live/caret.ts';
import { textOf } from '../../../../src/reporting/live/hand-edits.ts';
import type { ShownSection } from '../../../../src/reporting/live/hand-edits.ts';
import { partialIn } from '../../../../src/reporting/live/typing.ts';
import type { Splice } from '../../../../src/reporting/live/typing.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import { t } from '../../i18n/index.ts';
import type { TypedEdits } from '../../state/recorder/open-typed-edits.ts';
import { fitHeight, useFittedHeight } from './fit-height.ts';
import { fieldId } from './keyboard-navigation.ts';
import { mounted } from '../../parts/mounted.ts';

/** The text of the field, and the words that it consists of. */
interface FieldContent {
  readonly section: ShownSection;
  readonly words: LiveWords;
}

export function LiveField({
  section,
  words,
  writing,
  isOpen,
  placeholder,
}: FieldContent & {
  writing: TypedEdits;
  /** The words can be edited. */
  isOpen: boolean;
  /** The default text if nothing is spoken or typed. */
  placeholder?: string | undefined;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const standing = useRef<FieldContent>({ section, words });
  const isComposing = useRef(false);
  /** Computes the caret in the next text. */
  const wanted = useRef<((before: string, after: string) => number) | undefined>(undefined);
  const text = textOf(section);
  const partial = partialIn(section);

  const stand = (): void => {
    const field = mounted(area);
    const before = standing.current.section;
    standing.current = { section, words };
    const caretAfterwards = wanted.current;
    wanted.current = undefined;
    if (field.value !== text) {
      const { value, selectionStart, selectionEnd, selectionDirection } = field;
      const [start, end] = caretAfterwards
        ? [caretAfterwards(value, text), caretAfterwards(value, text)]
        : [caretIn(section, before, selectionStart), caretIn(section, before, selectionEnd)];
      field.value = text;
      if (field === globalThis.document.activeElement) field.setSelectionRange(start, end, selectionDirection);
    }
    fitHeight(field);
  };
  useFittedHeight(area);
  // Letters being composed from several keys stay untouched until they are complete.
  useLayoutEffect(() => {
    if (!isComposing.current) stand();
  }, [section, words]);

  /** `false`: nothing was typed. */
  const type = (): boolean => {
    const { value, selectionEnd } = mounted(area);
    const { section: shown, words: said } = standing.current;
    const splice = findSplice(textOf(shown), value, selectionEnd);
    if (!splice) return false;
    const open = partialIn(shown);
    if (open && splice.start > open.start) wanted.current = () => open.start + splice.text.length;
    writing.type(said, section.key, splice);
    return true;
  };
  const takeBack = (isAgain: boolean): void => {
    wanted.current = (before, after) => {
      const { start, text: put } = findSplice(before, after, after.length) ?? { start: after.length, text: '' };
      return start + put.length;
    };
    const isDone = isAgain ? writing.redo(words, section.key) : writing.undo(words, section.key);
    if (!isDone) wanted.current = undefined;
  };
  /** Words that may still change can't be edited: they stay after the caret. */
  const leavePartial = ({ currentTarget: field }: { readonly currentTarget: HTMLTextAreaElement }): void => {
    const open = partialIn(standing.current.section);
    const { selectionStart: caret, selectionEnd, value } = field;
    const isAmong =
      open && caret === selectionEnd && caret > open.start && (caret < open.end || caret === value.length);
    if (isAmong && !isComposing.current) field.setSelectionRange(open.start, open.start);
  };
  return (
    <div class="document-marked">
      <div class="document-field document-text live-words" aria-hidden="true">
        {partial ? text.slice(0, partial.start) : text}
        {partial && <span class="live-partial">{text.slice(partial.start, partial.end)}</span>}
        {partial && text.slice(partial.end)}
        {/* An empty line still has its height, as in a text field. */}
        {text.endsWith('\n') && '\u200b'}
      </div>
      <textarea
        id={fieldId(section.key)}
        ref={area}
        placeholder={placeholder}
        class="document-field document-text"
        aria-label={t('document.live_label', { title: section.title })}
        rows={1}
        spellcheck
        readOnly={!isOpen}
        onInput={() => !isComposing.current && type()}
        onBeforeInput={(event) => {
          const { inputType } = event as InputEvent;
          if (inputType !== 'historyUndo' && inputType !== 'historyRedo') return;
          event.preventDefault();
          takeBack(inputType === 'historyRedo');
        }}
        onCompositionStart={() => void (isComposing.current = true)}
        onCompositionEnd={() => {
          isComposing.current = false;
          if (!type()) stand();
        }}
        onKeyDown={(event) => {
          const key = event.key.toLowerCase();
          if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
          event.preventDefault();
          takeBack(key === 'y' || event.shiftKey);
        }}
        onKeyUp={leavePartial}
        onPointerUp={leavePartial}
        onFocus={leavePartial}
      />
    </div>
  );
}

/** The edit between two texts, given the caret; `undefined`: none. */
function findSplice(before: string, after: string, caret: number): Splice | undefined {
  if (before === after) return undefined;
  let tail = 0;
  const maxTail = Math.min(before.length, after.length - caret);
  while (tail < maxTail && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  let start = 0;
  const maxStart = Math.min(before.length, after.length) - tail;
  while (start < maxStart && before[start] === after[start]) start += 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
