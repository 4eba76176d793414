/** Reads NDJSON, an item per line. A line without an item is reported, and the reading goes on. */
import { fileMessage } from '../../contract/messages/files.ts';
import { maxJsonDepth, shapeFault } from '../../domain/json-shape.ts';
import { isPlainObject } from '../../domain/normalise.ts';
import { hasComment } from './json-comments.ts';
import { splitLines } from './lines.ts';
import { itemsReader, ownItemsReader } from './own-item.ts';
import type { ItemsReader } from './own-item.ts';
import type { Reader } from './reader.ts';
import { problem } from './reading.ts';
import type { ItemReading, Position, Problem } from './reading.ts';
import { damage } from './text.ts';

export const readNdjson = ndjsonOf(itemsReader);
export const readOwnNdjson = ndjsonOf(ownItemsReader);

function ndjsonOf(readerOf: ItemsReader): Reader {
  return async function* (input) {
    const { text, limits } = input;
    const readBatch = readerOf(input);
    let item = 0;
    for await (const { first, lines } of splitLines(text.chunks(), limits.line)) {
      const readings: (ItemReading | Problem)[] = [];
      for (const [at, line] of lines.entries()) {
        if (line === '' || line.trim() === '') continue;
        item += 1;
        const position = { line: first + at, item };
        if (text.isDamaged(line)) readings.push(problem(position, damage.message, damage.hint));
        else readings.push(readItem(line, position));
      }
      yield readBatch(readings);
    }
  };
}

/** One item from its JSON. */
export function readItem(json: string, position: Position): ItemReading | Problem {
  let item: unknown;
  try {
    item = JSON.parse(json);
  } catch {
    if (hasComment(json)) return problem(position, fileMessage('json_comment'), fileMessage('no_comments'));
    return problem(position, fileMessage('not_json'), fileMessage('json_cut'));
  }
  if (!isPlainObject(item)) {
    return problem(position, fileMessage('no_item'));
  }
  // An item that the service refuses as JSON would cost the whole request: the list of items adds one level.
  const fault = shapeFault(item, 2);
  if (fault === 'prototype') return problem(position, fileMessage('proto'));
  if (fault === 'too deep') return problem(position, fileMessage('too_deep', { depth: maxJsonDepth - 1 }));
  return { kind: 'item', item, position };
}
