/** Passes the page's keys to their handlers (state/keys.ts), or leaves them to the focused element. */
import { dispatchKey, formatKey } from '../../state/keys.ts';
import type { Place } from '../../state/keys.ts';

const textTypes = new Set(['text', 'search', 'password', 'url', 'email', 'number', 'date', 'tel']);

function classifyTarget(target: EventTarget | null): Place {
  if (!(target instanceof Element)) return 'page';
  const input = target.closest('input, textarea, select, [contenteditable]:not([contenteditable=false])');
  if (input !== null) return input instanceof HTMLInputElement && !textTypes.has(input.type) ? 'control' : 'text';
  return target.closest('button, a[href], summary, [role=slider]') === null ? 'page' : 'control';
}

/** Keys that activate or move a control. After a mere click on the control they act as shortcuts of the page. */
const movingKeys = new Set(['Space', 'ArrowLeft', 'ArrowRight']);
/** A slider keeps its arrow keys. */
const isSlider = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === 'range';

/** An open dialog or menu receives all keys. */
export const isCovered = (): boolean => document.querySelector('dialog[open], .menu:popover-open') !== null;
/** A held key repeats movements, but must not start and stop a recording repeatedly. */
const isUnwantedRepeat = (event: KeyboardEvent): boolean =>
  event.repeat && !['j', 'k', 'ArrowLeft', 'ArrowRight'].includes(event.key);

export function followKeyboard(): void {
  /** The element that got the focus by a click, not by keyboard navigation. */
  let clicked: EventTarget | null = null;
  let isPointing = false;
  let taken: string | null = null;
  addEventListener('pointerdown', () => (isPointing = true), { capture: true });
  addEventListener('focusin', ({ target }) => (clicked = isPointing ? target : null));
  // Runs before the clicked element handles the key.
  addEventListener(
    'keydown',
    (event) => {
      isPointing = false;
      const { target } = event;
      const isOurs = target === clicked && classifyTarget(target) === 'control' && !isSlider(target);
      if (!isOurs || isCovered() || isUnwantedRepeat(event) || !movingKeys.has(formatKey(event) ?? '')) return;
      if (!dispatchKey(event, 'page')) return;
      taken = event.key;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  // Some browsers activate a button on keyup.
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
    if (dispatchKey(event, classifyTarget(event.target))) event.preventDefault();
  });
}
