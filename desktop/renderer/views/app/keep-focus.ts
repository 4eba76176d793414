/**
 * Keeps the keyboard focus where the person works. If the focused element is removed, hidden or disabled, browsers
 * focus the whole page: the next letters would be shortcuts, and a screen reader would start at the top. The focus
 * moves to the text that replaces the element, otherwise to the nearest part of the page that is still visible.
 */

/** The last position of the focus. */
interface Place {
  readonly element: Element;
  /** The parts of the page around it, nearest first. */
  readonly around: readonly HTMLElement[];
  /** The caret, if the element is a text field. */
  readonly caret: { readonly start: number; readonly end: number } | null;
}

const parts = '[tabindex], dialog, main, #app';

function partsAround(element: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let part = element.parentElement; part; part = part.parentElement) if (part.matches(parts)) found.push(part);
  return found;
}

const caretOf = (element: Element | null): Place['caret'] =>
  element instanceof HTMLTextAreaElement ? { start: element.selectionStart, end: element.selectionEnd } : null;

const isUsable = (element: Element): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled');

export function keepFocus(): void {
  let place: Place | null = null;
  /** The last focused text, if it may reappear, such as a section of a report being generated. */
  let awaited: Place | null = null;
  let isOwn = false;

  const focus = (element: HTMLElement): boolean => {
    isOwn = true;
    element.focus({ preventScroll: true });
    isOwn = false;
    return document.activeElement === element;
  };
  /** The text with the same name, with the same caret. */
  const enterText = ({ element, caret }: Place): boolean => {
    const text = element.id === '' ? null : document.querySelector(`textarea#${CSS.escape(element.id)}`);
    if (!caret || !(text instanceof HTMLTextAreaElement) || text === element || !isUsable(text)) return false;
    if (!focus(text)) return false;
    text.setSelectionRange(caret.start, caret.end);
    return true;
  };
  const enterPart = (part: HTMLElement): boolean => {
    const places = part.matches('[tabindex]')
      ? [part]
      : [...part.querySelectorAll<HTMLElement>('h2[tabindex], .pane[tabindex]')];
    return places.some((place) => isUsable(place) && focus(place));
  };
  const look = (): void => {
    if (awaited && document.activeElement !== awaited.element && enterText(awaited)) awaited = null;
    if (!place || (document.activeElement !== document.body && document.activeElement !== null)) return;
    // The person left it, for example by a click outside.
    if (isUsable(place.element)) return;
    const left = place;
    if (enterText(left)) return;
    awaited = left.caret ? left : null;
    left.around.some(enterPart);
  };
  const note = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    place = { element: target, around: partsAround(target), caret: caretOf(target) };
    if (!isOwn) awaited = null;
  };
  const noteCaret = (): void => {
    if (place && place.element === document.activeElement) place = { ...place, caret: caretOf(place.element) };
  };
  addEventListener('focusin', note);
  document.addEventListener('selectionchange', noteCaret, true);
  for (const name of ['keydown', 'pointerdown']) addEventListener(name, () => (awaited = null), { capture: true });
  const observer = new MutationObserver(() => {
    look();
    // Hidden and disabled elements lose the focus when the page is painted.
    requestAnimationFrame(look);
  });
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'data-pane', 'open', 'hidden'],
  });
}
