/** Replaces part of a field by `text`, as if typed. The caret goes after it. */
export function replaceText(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  field.setRangeText(text, start, end, 'end');
  const inputType = 'insertReplacementText';
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data: text }));
}
