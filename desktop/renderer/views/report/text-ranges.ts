/**
 * Words of a text on the page: which one was clicked, and the mark of those being spoken. The mark is a highlight of
 * the browser (CSS Custom Highlight API): it moves nothing and re-renders no view.
 */
import type { Span } from '../../../../src/reporting/words/token.ts';

/** The offset of a click in an element's text; `undefined` while words are being selected. */
export function findClickedOffset(element: HTMLElement, { clientX, clientY }: MouseEvent): number | undefined {
  if (getSelection()?.isCollapsed === false) return undefined;
  const position = document.caretPositionFromPoint?.(clientX, clientY);
  if (position) return placeIn(element, position.offsetNode, position.offset);
  // Safari, and Chromium before 128.
  const range = document.caretRangeFromPoint?.(clientX, clientY);
  return range ? placeIn(element, range.startContainer, range.startOffset) : undefined;
}

/** The start of the selection in an element's text; `undefined`: outside. */
export function findSelectedOffset(element: HTMLElement): number | undefined {
  const { anchorNode, anchorOffset } = getSelection() ?? {};
  return anchorNode ? placeIn(element, anchorNode, anchorOffset ?? 0) : undefined;
}

function placeIn(element: HTMLElement, node: Node, offset: number): number | undefined {
  if (!element.contains(node)) return undefined;
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** The range of words of an element's text, across the marks in it. */
export function findRange(element: HTMLElement, { start, end }: Span): Range | undefined {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let at = 0;
  let isBegun = false;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const length = text.nodeValue?.length ?? 0;
    if (!isBegun && start < at + length) {
      range.setStart(text, start - at);
      isBegun = true;
    }
    if (isBegun && end <= at + length) {
      range.setEnd(text, end - at);
      return range;
    }
    at += length;
  }
  return undefined;
}

const highlight = 'said-now';

/** Marks these words and no others. Without browser support, playback has no marks. */
export function highlightSpoken(ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(highlight);
  else CSS.highlights.set(highlight, new Highlight(...ranges));
}
