/** JSON in the three shapes of the API: one item, an array of items, or `{"items": […]}`; of any size, item by item. */
import { jsonValues } from './json-values.ts';
import { itemsReader, ownItemsReader } from './own-item.ts';
import type { ItemsReader } from './own-item.ts';
import { readItem } from './ndjson.ts';
import type { Reader } from './reader.ts';
import { problem } from './reading.ts';
import { damage } from './text.ts';

export const readJson = jsonOf(itemsReader);
export const readOwnJson = jsonOf(ownItemsReader);

function jsonOf(readerOf: ItemsReader): Reader {
  return async function* (input) {
    const { text, limits } = input;
    const readBatch = readerOf(input);
    let item = 0;
    for await (const values of jsonValues(text.chunks(), { member: 'items', limit: limits.item })) {
      yield readBatch(
        values.map(({ json, line }) => {
          item += 1;
          const position = { line, item };
          return text.isDamaged(json) ? problem(position, damage.message, damage.hint) : readItem(json, position);
        }),
      );
    }
  };
}
