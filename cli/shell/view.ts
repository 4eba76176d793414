/**
 * The result of a command: the data, and its form for a person. `--json` prints the data alone; otherwise render.ts
 * chooses the form for a terminal or a pipe.
 */

/** The emphasis of a cell. */
export type Tone = 'plain' | 'strong' | 'faint' | 'good' | 'busy' | 'warn' | 'bad';

export interface Column<T> {
  readonly title: string;
  readonly value: (row: T) => string | number | null | undefined;
  readonly tone?: (row: T) => Tone;
  readonly align?: 'right';
  /** Rank for dropping the column from a table on a narrow terminal; the highest rank goes first. */
  readonly spare?: number;
  /** Whether a narrow terminal can cut the text with `…`; never an id, which people copy. */
  readonly cut?: true;
  /** Whether the text can be folded within its column on a narrow terminal. */
  readonly fold?: true;
}

/** Rows of one kind. */
export interface ListView<T = unknown> {
  readonly kind: 'list';
  readonly data: unknown;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  /** Sentence that replaces an empty table. */
  readonly empty: string;
  /** Sentence below the table, on stderr: how to see more rows. */
  readonly note?: string;
}

/** Rows of one kind in any number, printed page by page. */
export interface PagesView<T = unknown> {
  readonly kind: 'pages';
  readonly pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>;
  readonly columns: readonly Column<T>[];
  /** Sentence that replaces an empty table. */
  readonly empty: string;
  /** The form of a row in JSON. */
  readonly dataOf: (row: T) => unknown;
}

/** One resource: its fields, and optionally a text. */
export interface DetailView {
  readonly kind: 'detail';
  readonly data: unknown;
  readonly fields: readonly (readonly [title: string, value: string | number | null | undefined, tone?: Tone])[];
  readonly sections?: readonly { readonly title: string; readonly text: string }[];
}

/** A sentence. */
export interface MessageView {
  readonly kind: 'message';
  readonly data: unknown;
  readonly text: string;
}

/** Raw bytes: a file. */
export interface BytesView {
  readonly kind: 'bytes';
  readonly body: AsyncIterable<Uint8Array>;
}

export type View = ListView<never> | PagesView<never> | DetailView | MessageView | BytesView;

/** Nothing to print: the command ran another program, and ends with its exit code. */
export interface Exit {
  readonly kind: 'exit';
  readonly code: number;
}

export const listView = <T>(view: Omit<ListView<T>, 'kind'>): View => ({ kind: 'list', ...view }) as unknown as View;
export const pagesView = <T>(view: Omit<PagesView<T>, 'kind'>): View => ({ kind: 'pages', ...view }) as unknown as View;
export const detailView = (view: Omit<DetailView, 'kind'>): View => ({ kind: 'detail', ...view });
export const messageView = (text: string, data: unknown): View => ({ kind: 'message', text, data });
export const exit = (code: number): Exit => ({ kind: 'exit', code });
export const bytesView = (body: AsyncIterable<Uint8Array>): View => ({ kind: 'bytes', body });
