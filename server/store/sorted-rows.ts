/**
 * Ids in ascending order, cut into chunks so that an insertion or a removal anywhere moves at most one chunk. Ids
 * mostly arrive in order of creation (see ids.ts), and then adding one is a push.
 */
const chunkSize = 512;

/** Non-empty, ascending chunks of ascending ids. */
export type SortedIds = string[][];

/** Whether the id comes after all there are, as one that was just made does. */
export function isNewest(chunks: SortedIds, id: string): boolean {
  const last = chunks.at(-1);
  return !last || last.at(-1)! < id;
}

/** Nothing happens where the id is already there. */
export function addId(chunks: SortedIds, id: string): void {
  const last = chunks.at(-1);
  if (isNewest(chunks, id)) {
    if (last && last.length < chunkSize) last.push(id);
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

/** The ids of several lists together, of which each id is in one alone. */
export function* newestOfAll(lists: readonly SortedIds[], before?: string): Generator<string, void> {
  // By the id that comes next, ascending: the last one is always the newest.
  const heads: { id: string; rest: Iterator<string, void> }[] = [];
  const enqueue = (rest: Iterator<string, void>): void => {
    const next = rest.next();
    if (next.done) return;
    let low = 0;
    for (let high = heads.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (heads[middle]!.id < next.value) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, { id: next.value, rest });
  };
  for (const list of lists) enqueue(newestFirst(list, before));
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head.id;
    enqueue(head.rest);
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
