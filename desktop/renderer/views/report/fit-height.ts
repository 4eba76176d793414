import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Browsers that size a field by its content need no help (CSS Basic User Interface 4). */
const sizesItself = (): boolean => CSS.supports('field-sizing', 'content');

/** Makes a text area as high as its text. One that isn't rendered has no height yet. */
export function fitHeight(field: HTMLTextAreaElement): void {
  if (sizesItself() || field.clientWidth === 0) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

/** Fits a text area whenever its width changes, which also happens when its pane is shown. */
export function useFittedHeight(area: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const field = area.current;
    if (!field || sizesItself()) return undefined;
    let width = -1;
    const sizes = new ResizeObserver(() => {
      if (field.clientWidth === width) return;
      width = field.clientWidth;
      fitHeight(field);
    });
    sizes.observe(field);
    return () => sizes.disconnect();
  }, []);
}
