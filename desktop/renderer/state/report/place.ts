/** The reader's position in a report, for the next page in the same window: ids and numbers, no words. */

export interface ReportPlace {
  readonly itemId: string;
  /** Scroll position in px. */
  readonly top: number;
  /** The caret; `null`: in no text. */
  readonly caret: { readonly section: string; readonly start: number; readonly end: number } | null;
}

const name = 'laudio.place';

export function keepPlace(place: ReportPlace): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(place));
  } catch {
    // Without storage, the next page starts at the top.
  }
}

/** Returns the position in the report of this exam, once. */
export function takePlace(itemId: string): ReportPlace | null {
  try {
    const place = JSON.parse(sessionStorage.getItem(name) ?? 'null') as ReportPlace | null;
    sessionStorage.removeItem(name);
    return place?.itemId === itemId ? place : null;
  } catch {
    return null;
  }
}
