/**
 * What a command gives back: the data, and how a person reads it. The data alone is printed with `--json`; which of the
 * others is chosen depends on where the output goes (render.ts).
 */

/** How sure a cell is of attention. */
export type Tone = 'plain' | 'strong' | 'faint' | 'good' | 'busy' | 'warn' | 'bad';

export interface Column<T> {
  readonly title: string;
  readonly value: (row: T) => string | number | null | undefined;
  readonly tone?: (row: T) => Tone;
  readonly align?: 'right';
  /** Left out of a table where the terminal is too narrow; the highest goes first. */
  readonly spare?: number;
  /** May be cut with `…` where the terminal is too narrow; an id, which is copied, may not. */
  readonly cut?: true;
}

/** Rows of a kind. */
export interface ListView<T = unknown> {
  readonly kind: 'list';
  readonly data: unknown;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  /** Said instead of an empty table. */
  readonly empty: string;
  /** Said below the table, on stderr: how to see more. */
  readonly note?: string;
}

/** One thing: its fields, and perhaps a text. */
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

/** Bytes as they are: a file. */
export interface BytesView {
  readonly kind: 'bytes';
  readonly body: AsyncIterable<Uint8Array>;
}

export type View = ListView<never> | DetailView | MessageView | BytesView;

export const listView = <T>(view: Omit<ListView<T>, 'kind'>): View => ({ kind: 'list', ...view }) as unknown as View;
export const detailView = (view: Omit<DetailView, 'kind'>): View => ({ kind: 'detail', ...view });
export const messageView = (text: string, data: unknown): View => ({ kind: 'message', text, data });
export const bytesView = (body: AsyncIterable<Uint8Array>): View => ({ kind: 'bytes', body });
