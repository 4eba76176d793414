/**
 * Words that somebody typed and that the app does not have yet: the shelf stores them where another page finds them after
 * this page was closed or died.
 */
import type { Typed } from '../../bridge/typed.ts';

export interface ShelvedWords {
  /** Name of the page in which they were typed. */
  readonly page: string;
  /** The desk of the person who typed them. They are sent under no other login. */
  readonly desk: string;
  readonly typed: Typed;
}

export interface WordShelf {
  /** Stores the words in place of those about the same that the page typed before. Rejects if the browser stores nothing. */
  keep(words: ShelvedWords): Promise<void>;
  /** What pages stored for this person; words that cannot be read are left out. */
  list(desk: string): Promise<readonly ShelvedWords[]>;
  forget(words: Pick<ShelvedWords, 'page'> & { readonly typed: Pick<Typed, 'kind' | 'subject'> }): Promise<void>;
  /** Marks the page as alive until it ends. */
  live(page: string): void;
  /** Does the work unless the page is alive, or another page does the same work now. */
  ifGone(page: string, work: () => Promise<void>): Promise<void>;
}
