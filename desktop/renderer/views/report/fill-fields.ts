/** Fills in the open fields of a report's texts by typing over them. */
import { endsWithUnit, replaceField } from '../../state/report/field-input.ts';
import type { FieldInput } from '../../state/report/field-input.ts';

/** The event when the person types over a choice; its detail is the matching option, or `null`. */
export const choiceTyped = 'choicetyped';

/** The input over a selected choice. */
interface Choosing {
  readonly field: HTMLTextAreaElement;
  readonly start: number;
  readonly end: number;
  readonly typed: string;
  readonly choice: string;
}

/** A blank being filled in, with the unit that stays after the caret. */
interface Filling {
  readonly field: HTMLTextAreaElement;
  readonly start: number;
  readonly suffix: string;
  /** Number of letters after the unit. */
  readonly tail: number;
}

export interface FieldFilling {
  /** Accepts the matching option as the input of the selected field. */
  take(field: HTMLTextAreaElement): void;
  close(): void;
}

export function followFields(report: HTMLElement): FieldFilling {
  let choosing: Choosing | null = null;
  let filling: Filling | null = null;
  let isOwn = false;

  const replace = (field: HTMLTextAreaElement, from: number, to: number, text: string, caret: number): void => {
    isOwn = true;
    replaceText(field, from, to, text);
    field.setSelectionRange(caret, caret);
    isOwn = false;
  };
  const chosenIn = (field: HTMLTextAreaElement): Choosing | null =>
    choosing?.field === field && choosing.start === field.selectionStart && choosing.end === field.selectionEnd
      ? choosing
      : null;
  const announceChoice = (field: HTMLTextAreaElement, choice: string | null): void =>
    void field.dispatchEvent(new CustomEvent(choiceTyped, { bubbles: true, detail: choice }));

  const isField = (field: EventTarget | null): field is HTMLTextAreaElement =>
    field instanceof HTMLTextAreaElement && !field.readOnly && field.closest('.document-section') !== null;
  /** `written`: the field; the range from `start` to `end` replaces it. */
  const carryOut = (
    input: FieldInput,
    { field, start, end, written }: { field: HTMLTextAreaElement; start: number; end: number; written: string },
  ): void => {
    const isThere = field.value.slice(start, end) === written;
    choosing = null;
    if (input.kind === 'put') {
      const tail = field.value.length - end;
      const { text, suffix } = input;
      replace(field, start, end, text, start + text.length - suffix.length);
      filling = suffix === '' ? null : { field, start, suffix, tail };
      return;
    }
    if (!isThere) replace(field, start, end, written, end);
    field.setSelectionRange(start, start + written.length);
    if (input.kind === 'choosing') choosing = { field, start, end: start + written.length, ...input };
    announceChoice(field, input.kind === 'choosing' ? input.choice : null);
  };

  const onBeforeInput = (event: InputEvent): void => {
    const field = event.target;
    if (isOwn || event.defaultPrevented || event.isComposing || !event.inputType.startsWith('insert')) return;
    if (!isField(field)) return;
    const { value, selectionStart: start, selectionEnd: end } = field;
    const data = event.data ?? event.dataTransfer?.getData('text/plain') ?? '\n';
    const input = replaceField(value, { start, end }, chosenIn(field)?.typed ?? '', data);
    if (!input) return;
    event.preventDefault();
    carryOut(input, { field, start, end, written: value.slice(start, end) });
  };
  /** Letters composed from several keys (é) replace the field regardless, so it is checked afterwards. */
  let composed: { readonly value: string; readonly start: number; readonly end: number; readonly typed: string } | null;
  const onCompositionStart = ({ target: field }: CompositionEvent): void => {
    composed = isField(field)
      ? {
          value: field.value,
          start: field.selectionStart,
          end: field.selectionEnd,
          typed: chosenIn(field)?.typed ?? '',
        }
      : null;
  };
  const onCompositionEnd = ({ target: field, data }: CompositionEvent): void => {
    if (!composed || !isField(field)) return;
    const { value, start, end, typed } = composed;
    composed = null;
    const input = replaceField(value, { start, end }, typed, data);
    const isAsTyped = field.value === value.slice(0, start) + data + value.slice(end);
    if (input && isAsTyped)
      carryOut(input, { field, start, end: start + data.length, written: value.slice(start, end) });
  };
  /** If the person types the unit too, it must not appear twice. */
  const onInput = ({ target }: Event): void => {
    if (isOwn || !filling) return;
    const { field, start, suffix, tail } = filling;
    const end = field.value.length - tail;
    const inside = target === field ? field.value.slice(start, end) : '';
    if (!inside.endsWith(suffix)) filling = null;
    else if (endsWithUnit(inside.slice(0, -suffix.length))) {
      filling = null;
      replace(field, end - suffix.length, end, '', end - suffix.length);
    }
  };
  const onFocusOut = (): void => void (choosing = filling = null);
  report.addEventListener('beforeinput', onBeforeInput);
  report.addEventListener('compositionstart', onCompositionStart);
  report.addEventListener('compositionend', onCompositionEnd);
  report.addEventListener('input', onInput);
  report.addEventListener('focusout', onFocusOut);
  return {
    take(field) {
      const begun = chosenIn(field);
      if (!begun) return;
      choosing = null;
      replace(field, begun.start, begun.end, begun.choice, begun.start + begun.choice.length);
    },
    close() {
      report.removeEventListener('beforeinput', onBeforeInput);
      report.removeEventListener('compositionstart', onCompositionStart);
      report.removeEventListener('compositionend', onCompositionEnd);
      report.removeEventListener('input', onInput);
      report.removeEventListener('focusout', onFocusOut);
    },
  };
}

/** Replaces part of a field by `text`, as if typed. The caret goes after it. */
export function replaceText(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  field.setRangeText(text, start, end, 'end');
  const inputType = 'insertReplacementText';
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data: text }));
}
