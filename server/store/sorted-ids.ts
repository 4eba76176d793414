/**
 * Ids in ascending order, cut into chunks so that an insertion or a removal anywhere moves at most one chunk. Ids
 * mostly arrive in order of creation (see ids.ts), and then adding one is a push.
 */
const chunkSize = 512;

/** Non-empty, ascending chunks of ascending ids. */
export type SortedIds = string[][];

/** Nothing happens where the id is already there. */
export function addId(chunks: SortedIds, id: string): void {
  const last = chunks.at(-1);
  if (!last) {
    chunks.push([id]);
  } else if (last.at(-1)! < id) {
    if (last.length < chunkSize) last.push(id);
    else chunks.push([id]);
  } else {
    const at = chunkOf(chunks, id);
    const chunk = chunks[at]!;
    const position = lowerBound(chunk, id);
    if (chunk[position] === id) return;
    chunk.splice(position, 0, id);
    if (chunk.length > chunkSize) chunks.splice(at + 1, 0, chunk.splice(chunkSize / 2));
  }
}

/** Nothing happens where the id is not there. */
export function removeId(chunks: SortedIds, id: string): void {
  const at = chunkOf(chunks, id);
  const chunk = chunks[at];
  if (!chunk) return;
  const position = lowerBound(chunk, id);
  if (chunk[position] !== id) return;
  chunk.splice(position, 1);
  if (chunk.length === 0) chunks.splice(at, 1);
}

/** Newest first; with `before` only the ids below it, whether or not it is there itself. */
export function* newestFirst(chunks: SortedIds, before?: string): Generator<string, void> {
  let at = before === undefined ? chunks.length - 1 : chunkOf(chunks, before);
  for (let end = before; at >= 0; at--, end = undefined) {
    const chunk = chunks[at];
    if (!chunk) return;
    for (let i = (end === undefined ? chunk.length : lowerBound(chunk, end)) - 1; i >= 0; i--) yield chunk[i]!;
  }
}

/** The last chunk that begins at or below the id; the first one where there is none. */
function chunkOf(chunks: SortedIds, id: string): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (chunks[middle]![0]! <= id) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the id stands, or would stand. */
function lowerBound(chunk: readonly string[], id: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunk[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
