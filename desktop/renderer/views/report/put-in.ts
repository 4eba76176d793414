/** Puts `text` in the place of words of a field, as if somebody had typed it; the caret goes behind it. */
export function putIn(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  field.setRangeText(text, start, end, 'end');
  const inputType = 'insertReplacementText';
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data: text }));
}
