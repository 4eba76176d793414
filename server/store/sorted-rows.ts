/**
 * Documents in ascending order of their ids, cut into chunks so that an insertion or a removal anywhere moves at most one
 * chunk. Ids mostly arrive in order of creation (see ids.ts), and then adding one is a push: it touches nothing that has
 * not been touched for long, which a hash table of all there is would.
 */
const chunkSize = 512;

/** A document's place: whoever has it sees the document as it is now. */
export interface Row<D> {
  readonly id: string;
  document: D;
}

/** Non-empty, ascending chunks of ascending rows. */
export type SortedRows<D> = Row<D>[][];

/** Whether the id comes after all there are, as one that was just made does. */
export function isNewest<D>(rows: SortedRows<D>, id: string): boolean {
  const last = rows[rows.length - 1];
  return !last || last[last.length - 1]!.id < id;
}

export function rowOf<D>(rows: SortedRows<D>, id: string): Row<D> | undefined {
  const chunk = rows[chunkOf(rows, id)];
  const row = chunk?.[lowerBound(chunk, id)];
  return row?.id === id ? row : undefined;
}

/** Nothing happens where one with that id is already there. `newest`: whether it is known to come after all there are. */
export function addRow<D>(rows: SortedRows<D>, row: Row<D>, newest = isNewest(rows, row.id)): void {
  if (newest) {
    const last = rows[rows.length - 1];
    if (last && last.length < chunkSize) last.push(row);
    else rows.push([row]);
  } else {
    const at = chunkOf(rows, row.id);
    const chunk = rows[at]!;
    const position = lowerBound(chunk, row.id);
    if (chunk[position]?.id === row.id) return;
    chunk.splice(position, 0, row);
    if (chunk.length > chunkSize) rows.splice(at + 1, 0, chunk.splice(chunkSize / 2));
  }
}

/** Nothing happens where the id is not there. */
export function removeRow<D>(rows: SortedRows<D>, id: string): void {
  const at = chunkOf(rows, id);
  const chunk = rows[at];
  if (!chunk) return;
  const position = lowerBound(chunk, id);
  if (chunk[position]?.id !== id) return;
  chunk.splice(position, 1);
  if (chunk.length === 0) rows.splice(at, 1);
}

/** Newest first; with `before` only those whose ids are below it, whether or not it is there itself. */
export function* newestFirst<D>(rows: SortedRows<D>, before?: string): Generator<Row<D>, void> {
  let at = before === undefined ? rows.length - 1 : chunkOf(rows, before);
  for (let end = before; at >= 0; at--, end = undefined) {
    const chunk = rows[at];
    if (!chunk) return;
    for (let i = (end === undefined ? chunk.length : lowerBound(chunk, end)) - 1; i >= 0; i--) yield chunk[i]!;
  }
}

/** The last chunk that begins at or below the id; the first one where there is none. */
function chunkOf<D>(rows: SortedRows<D>, id: string): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (rows[middle]![0]!.id <= id) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the id stands, or would stand. */
function lowerBound<D>(chunk: readonly Row<D>[], id: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunk[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
