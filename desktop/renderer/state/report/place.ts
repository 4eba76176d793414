/** The reader's position in a report, for the next page in the same window: ids and numbers, no words. */

export interface ReportPlace {
  readonly itemId: string;
  /** Scroll position in px. */
  readonly top: number;
  /** The caret; `null`: in no text. */
  readonly caret: { readonly section: string; readonly start: number; readonly end: number } | null;
}

const name = 'laudio.place';
/** The last positions in reports that this page left, by exam. */
const left = new Map<string, ReportPlace>();
/** The exam that another application opens. */
let isReturning: string | null = null;

/** The report of this exam opens without a hand on the keyboard: the caret returns to its place too. */
export const expectReturn = (itemId: string): void => void (isReturning = itemId);
export const leavePlace = (place: ReportPlace): void => void left.set(place.itemId, place);

export function keepPlace(place: ReportPlace): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(place));
  } catch {
    // Without storage, the next page starts at the top.
  }
}

/** The position in the report of this exam, from the last page or earlier in this one. */
export function takePlace(itemId: string): ReportPlace | null {
  try {
    const place = JSON.parse(sessionStorage.getItem(name) ?? 'null') as ReportPlace | null;
    sessionStorage.removeItem(name);
    if (place?.itemId === itemId) return place;
  } catch {
    // Only the places of this page are known.
  }
  const place = left.get(itemId);
  const isReturn = isReturning === itemId;
  isReturning = null;
  return place ? { ...place, caret: isReturn ? place.caret : null } : null;
}
