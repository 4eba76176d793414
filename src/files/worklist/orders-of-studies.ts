/** Rows of a table that have one study UID and several accession numbers: they are orders of one exam, and none renames the exam. */
import { numberIn } from '../../domain/orders.ts';
import type { Order } from '../../domain/orders.ts';
import type { ItemReading, Reading } from './reading.ts';
import { createLatest } from './latest.ts';

/** Takes the rows of a file, batch by batch. A row under another number than that of the study's first says which order it is. */
export function createOrdersOfStudies(): (rows: readonly Reading[]) => readonly Reading[] {
  /** The first number of each study. */
  const first = createLatest<string>();
  return (rows) =>
    rows.map((row) => {
      const study = row.kind === 'item' && !row.orders ? row.item['study_uid'] : undefined;
      const number = row.kind === 'item' && typeof study === 'string' ? numberIn(row.item) : undefined;
      if (row.kind !== 'item' || typeof study !== 'string' || !number) return row;
      const name = `${number.accession_issuer ?? ''}\n${number.accession_number}`;
      const known = first.get(study);
      if (known === undefined) first.set(study, name);
      return known === undefined || known === name ? row : { ...row, orders: [{ ...number, ...saidBy(row) }] };
    });
}

function saidBy({ item, status, order }: ItemReading): Order {
  const { exam_description: description } = item;
  const state = status ?? (order && 'open');
  return {
    ...(typeof description === 'string' && description !== '' && { exam_description: description }),
    ...(state && { status: state }),
  };
}
