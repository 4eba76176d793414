/** Items in the fields of the contract: what a mapping says of them, and an offset for times without one. */
import { isOfOtherFormat } from './csv/columns.ts';
import { fill, newDraft } from './draft.ts';
import { kinds } from './kinds.ts';
import { rowsReader } from './json-rows.ts';
import type { RowsReader } from './json-rows.ts';
import { mappedTable } from './mapping.ts';
import type { Input } from './reader.ts';
import type { ItemReading, Problem, Reading } from './reading.ts';
import { createExamsOfRows } from './rows-of-exams.ts';
import { skipped, skipReader } from './skip-rules.ts';
import { isPlainObject } from '../../domain/normalise.ts';

type Item = ItemReading['item'];

/** An ISO 8601 date-time without an offset. */
const local = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/;

export type ItemsReader = (input: Input) => (batch: readonly (ItemReading | Problem)[]) => readonly Reading[];

/**
 * Reads the items of a file, batch by batch. The first batch decides whether they are items of the contract, which stay as
 * they are, or items of another system, which are read like the rows of a table.
 */
export const itemsReader: ItemsReader = (input) => {
  const mend = itemMending(input);
  const examsOf = createExamsOfRows();
  let rows: RowsReader | undefined;
  let isTold = false;
  return (batch) => {
    if (!isTold && batch.length > 0) {
      isTold = true;
      rows = rowsReader(batch, input);
    }
    return rows ? examsOf(batch.flatMap(rows)) : batch.map(mend);
  };
};

/** Reads the items of a file that has the fields of the contract, whatever else they are called like. */
export const ownItemsReader: ItemsReader = (input) => {
  const mend = itemMending(input);
  return (batch) => batch.map(mend);
};

/** Applies the mapping and the time zone to every item; an item that needs neither stays as it is. */
function itemMending({ options: { mapping }, times }: Pick<Input, 'options' | 'times'>) {
  const placeOf = (place: string): string | undefined => (isOfOtherFormat(place) ? undefined : place);
  const table = mappedTable([], mapping, placeOf).map((row) =>
    row.from.length > 0 ? row : { ...row, from: [row.to] },
  );
  const findSkip = skipReader(mapping, placeOf, false);
  return (reading: ItemReading | Problem): Reading => {
    if (reading.kind === 'problem') return reading;
    const passedOver = findSkip?.({ events: [], lookup: (place) => valueAt(reading.item, place) });
    if (passedOver) return skipped(reading.position, passedOver);
    const zoned = withOffset(reading.item);
    return table.length === 0
      ? zoned === reading.item
        ? reading
        : { ...reading, item: zoned }
      : mapped({ ...reading, item: zoned });
  };

  function withOffset(item: Item): Item {
    const { exam_datetime: time } = item;
    if (typeof time !== 'string' || !local.test(time.trim())) return item;
    const value = kinds.instant.convert(time.trim(), times)?.value;
    return value === undefined ? item : { ...item, exam_datetime: value };
  }

  function mapped(reading: ItemReading): ItemReading {
    const draft = newDraft(new Set());
    fill(draft, table, (place) => valueAt(reading.item, place), times);
    const { fields, metadata, warnings } = draft;
    const before = isPlainObject(reading.item['metadata']) ? reading.item['metadata'] : {};
    return {
      ...reading,
      item: {
        ...reading.item,
        ...fields,
        ...(Object.keys(metadata).length > 0 && { metadata: { ...before, ...metadata } }),
      },
      ...(warnings.length > 0 && { warnings }),
    };
  }
}

/** The text or number at a dotted path. */
function valueAt(item: Item, path: string): string | undefined {
  let value: unknown = item;
  for (const name of Object.hasOwn(item, path) ? [path] : path.split('.')) {
    value = isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined;
}
