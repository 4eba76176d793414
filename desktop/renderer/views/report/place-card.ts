/** The position of a line of text on the screen, in px. */
export type Line = Pick<DOMRect, 'left' | 'top' | 'bottom'>;

/** Minimum distance from the edges of the window, in px. */
const margin = 8;

/**
 * Places a fixed card below the text from `first` to `last`, or above it if there is no room below; never over the text
 * or the left or right edge of the window. `gap`: px between the text and the card.
 */
export function placeCard(card: HTMLElement, first: Line, last: Line, gap: number): void {
  const { offsetWidth: width, offsetHeight: height } = card;
  const isBelow = last.bottom + gap + height <= innerHeight || first.top - gap - height < 0;
  card.style.left = `${Math.max(margin, Math.min(last.left, innerWidth - width - margin))}px`;
  card.style.top = `${isBelow ? last.bottom + gap : first.top - gap - height}px`;
}

/**
 * Calls `stand` now, and whenever the size of the card or the window changes: suggestions arrive later than the card.
 */
export function keepPlaced(card: HTMLElement, stand: () => void): () => void {
  const sizes = new ResizeObserver(stand);
  sizes.observe(card);
  addEventListener('resize', stand);
  stand();
  return () => {
    sizes.disconnect();
    removeEventListener('resize', stand);
  };
}
