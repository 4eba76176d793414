/**
 * Typed words that the app does not have yet, stored where another page finds them after this page was closed or
 * crashed.
 */
import type { TypedInput } from '../../bridge/typed.ts';

export interface ShelvedWords {
  /** Name of the page in which they were typed. */
  readonly page: string;
  /** The desk of the person who typed them. They are sent under no other login. */
  readonly desk: string;
  readonly typed: TypedInput;
}

export interface WordShelf {
  /**
   * Stores the words, replacing those about the same subject from the same page. Rejects if the browser stores nothing.
   */
  keep(words: ShelvedWords): Promise<void>;
  /** The words stored for this person; unreadable ones are omitted. */
  list(desk: string): Promise<readonly ShelvedWords[]>;
  forget(words: Pick<ShelvedWords, 'page'> & { readonly typed: Pick<TypedInput, 'kind' | 'subject'> }): Promise<void>;
  /** Marks the page as alive until it ends. */
  live(page: string): void;
  /** Runs `work` unless the page is alive, or another page does the same work now. */
  ifGone(page: string, work: () => Promise<void>): Promise<void>;
}
