/**
 * Rows of a table that have one number. They are of one exam with several procedures where they agree in all but the procedure; where
 * the number is that of a request for several exams, one must not take the place of another.
 */
import { distinctMessages } from '../../contract/messages/message.ts';
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { describedBy, maxOrders } from '../../domain/orders.ts';
import { createLatest } from './latest.ts';
import { createOrdersOfStudies } from './orders-of-studies.ts';
import { problem } from './reading.ts';
import type { ItemReading, Position, Reading } from './reading.ts';

/** The facts from the rows of a number so far. */
interface Exam {
  readonly position: Position;
  readonly facts: Pick<Facts, 'patient_id' | 'modality' | 'exam_datetime'>;
  readonly procedures: { readonly description: string; isOpen: boolean }[];
}

interface Facts {
  readonly patient_id?: unknown;
  readonly modality?: unknown;
  readonly exam_datetime?: unknown;
  readonly exam_description?: unknown;
}

/** Takes the rows of a file, batch by batch; rows of one exam that follow each other in a batch become one. */
export function createExamsOfRows(): (rows: readonly Reading[]) => readonly Reading[] {
  const exams = createLatest<Exam>();
  const ordersOf = createOrdersOfStudies();
  return (rows) => {
    const taken: Reading[] = [];
    let latest: string | undefined;
    for (const row of rows) {
      const number = row.kind === 'item' ? readNumber(row) : undefined;
      if (row.kind !== 'item' || number === undefined) {
        taken.push(row);
        continue;
      }
      const known = exams.get(number);
      const read = known ? readAgain(known, row) : row;
      if (!known) remember(number, row);
      const before = taken.at(-1);
      if (read !== row && read.kind === 'item' && latest === number && before?.kind === 'item')
        taken[taken.length - 1] = together(before, read);
      else taken.push(read);
      latest = number;
    }
    return ordersOf(taken);
  };

  function remember(number: string, row: ItemReading): void {
    const { patient_id, modality, exam_datetime }: Facts = row.item;
    exams.set(number, {
      position: row.position,
      facts: { patient_id, modality, exam_datetime },
      procedures: [procedureIn(row)],
    });
  }
}

/** `undefined`: the row has no number, or distinguishes its orders by other numbers. */
function readNumber({ item, orders }: ItemReading): string | undefined {
  const { accession_number: number, accession_issuer: issuer } = item;
  if (typeof number !== 'string' || orders) return undefined;
  return typeof issuer === 'string' ? `${issuer}\n${number}` : number;
}

const isOpen = ({ status }: ItemReading): boolean => status !== 'cancelled';

const procedureIn = (row: ItemReading): Exam['procedures'][number] => ({
  description: String(row.item['exam_description'] ?? ''),
  isOpen: isOpen(row),
});

/** A further row of the number: as it is, as what it makes of the exam, or a problem. */
function readAgain({ position, facts, procedures }: Exam, row: ItemReading): Reading {
  const said: Facts = row.item;
  // The service says what becomes of an exam that has another patient.
  if (!agree(facts.patient_id, said.patient_id)) return row;
  const procedure = procedureIn(row);
  const same = procedures.find(
    ({ description }) => description === procedure.description || procedure.description === '',
  );
  const isAtSameTime = agree(facts.exam_datetime, said.exam_datetime);
  const mayMove = same !== undefined && (!same.isOpen || !procedure.isOpen);
  const isOfExam = same ? isAtSameTime || mayMove : isSameDay(facts, said) && procedures.length < maxOrders;
  if (!agree(facts.modality, said.modality) || !isOfExam) return anotherExam(position, row);
  if (same) same.isOpen = procedure.isOpen;
  else procedures.push(procedure);
  if (procedures.length === 1) return row;
  const open = procedures.filter((procedure) => procedure.isOpen);
  if (open.length === 0) return row;
  const { status: _, ...others } = row;
  return {
    ...others,
    item: {
      ...row.item,
      exam_datetime: facts.exam_datetime ?? said.exam_datetime,
      exam_description: describedBy(open.map(({ description }) => description)),
    },
    warnings: [...(row.warnings ?? []), sharedWith(position)],
  };
}

const agree = (one: unknown, other: unknown): boolean => one === undefined || other === undefined || one === other;

const isSameDay = (one: Facts, other: Facts): boolean => dayOf(one) === dayOf(other);
const dayOf = ({ exam_datetime }: Facts): string => String(exam_datetime).slice(0, '2026-03-02'.length);

/** The rows of an exam as one; what they say otherwise is that of the first, which the warnings name by the second. */
function together(first: ItemReading, second: ItemReading): ItemReading {
  const { exam_description } = second.item;
  const metadata = { ...(second.item['metadata'] as object), ...(first.item['metadata'] as object) };
  const order = second.order ?? first.order;
  return {
    ...second,
    position: first.position,
    item: { ...second.item, ...first.item, exam_description, ...(Object.keys(metadata).length > 0 && { metadata }) },
    ...(order && { order }),
    warnings: distinctMessages([
      ...(first.warnings ?? []),
      ...(second.warnings?.slice(0, -1) ?? []),
      sharedWith(second.position),
    ]),
  };
}

const sharedWith = ({ line, item = 0 }: Position): Message =>
  line === undefined ? fileMessage('one_exam_at_item', { item }) : fileMessage('one_exam_at_line', { line });

const anotherExam = ({ line, item = 0 }: Position, { position }: ItemReading): Reading =>
  problem(
    position,
    line === undefined ? fileMessage('another_exam_at_item', { item }) : fileMessage('another_exam_at_line', { line }),
    fileMessage('exam_numbers', { example: '{"fields": {"accession_number": ["HEADING"]}}' }),
  );
