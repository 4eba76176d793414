/** Where the caret is, or was last, in the words of a section. */
export interface Caret {
  readonly section: string;
  readonly start: number;
  readonly end: number;
}
