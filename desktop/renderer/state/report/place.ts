/** Where somebody was in a report, for the page that is loaded next in the same window: ids and numbers, no words. */

export interface ReportPlace {
  readonly itemId: string;
  /** How far the report is scrolled, in px. */
  readonly top: number;
  /** Where the caret stands; `null`: in no text. */
  readonly caret: { readonly section: string; readonly start: number; readonly end: number } | null;
}

const name = 'laudio.place';

export function keepPlace(place: ReportPlace): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(place));
  } catch {
    // A browser that stores nothing begins at the top.
  }
}

/** The place in the report of this exam, once. */
export function takePlace(itemId: string): ReportPlace | null {
  try {
    const place = JSON.parse(sessionStorage.getItem(name) ?? 'null') as ReportPlace | null;
    sessionStorage.removeItem(name);
    return place?.itemId === itemId ? place : null;
  } catch {
    return null;
  }
}
