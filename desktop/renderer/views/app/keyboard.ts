/** Passes the keys of the page to their handlers (state/keys.ts), or leaves them to the focused element. */
import { dispatchKey, keyOf } from '../../state/keys.ts';
import type { Place } from '../../state/keys.ts';

const textTypes = new Set(['text', 'search', 'password', 'url', 'email', 'number', 'date', 'tel']);

function placeOf(target: EventTarget | null): Place {
  if (!(target instanceof Element)) return 'page';
  const input = target.closest('input, textarea, select, [contenteditable]:not([contenteditable=false])');
  if (input !== null) return input instanceof HTMLInputElement && !textTypes.has(input.type) ? 'control' : 'text';
  return target.closest('button, a[href], summary, [role=slider]') === null ? 'page' : 'control';
}

/** Keys that press or move a control. A person who has only clicked on the control means the page's own keys. */
const movingKeys = new Set(['Space', 'ArrowLeft', 'ArrowRight']);
/** A slider keeps its arrows. */
const isSlider = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === 'range';

/** An open dialog or menu takes the whole keyboard. */
const isCovered = (): boolean => document.querySelector('dialog[open], .menu:popover-open') !== null;
/** A key held down repeats movements, but does not start and stop a recording. */
const isUnwantedRepeat = (event: KeyboardEvent): boolean =>
  event.repeat && !['j', 'k', 'ArrowLeft', 'ArrowRight'].includes(event.key);

export function followKeyboard(): void {
  /** The element that has the focus because it was clicked on, not because somebody moved there by keyboard. */
  let clicked: EventTarget | null = null;
  let isPointing = false;
  let taken: string | null = null;
  addEventListener('pointerdown', () => (isPointing = true), { capture: true });
  addEventListener('focusin', ({ target }) => (clicked = isPointing ? target : null));
  // Runs before the clicked element takes the key.
  addEventListener(
    'keydown',
    (event) => {
      isPointing = false;
      const { target } = event;
      const isOurs = target === clicked && placeOf(target) === 'control' && !isSlider(target);
      if (!isOurs || isCovered() || isUnwantedRepeat(event) || !movingKeys.has(keyOf(event) ?? '')) return;
      if (!dispatchKey(event, 'page')) return;
      taken = event.key;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  // Some browsers press a button when the key comes up.
  addEventListener(
    'keyup',
    (event) => {
      if (event.key === taken) event.preventDefault();
      taken = null;
    },
    { capture: true },
  );
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isCovered() || isUnwantedRepeat(event)) return;
    if (dispatchKey(event, placeOf(event.target))) event.preventDefault();
  });
}
