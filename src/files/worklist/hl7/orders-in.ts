/** The orders in a message, each with its segments and with what becomes of it. */
import { maxOrders } from '../../../domain/orders.ts';
import type { ExamStatus } from '../reading.ts';
import { readComponent, readField } from './message.ts';
import type { Message, Segment } from './message.ts';
import { readAppointment, findExamStatus, isTakenOut, findMeaning } from './order-control.ts';
import type { Meaning } from './order-control.ts';

/** An ORC with the segments after it; an order without an ORC is under the control of the previous one. */
export interface Order {
  readonly segments: Segment[];
  readonly control: Segment | undefined;
  readonly meaning: Meaning;
  readonly examStatus: ExamStatus | undefined;
}

interface Orders {
  /** The segments of the patient. */
  readonly shared: readonly Segment[];
  readonly orders: readonly Order[];
}

export function ordersIn(message: Message): Orders {
  const shared: Segment[] = [];
  const orders: Order[] = [];
  const priors = secondPatient(message);
  for (const segment of priors === -1 ? message.segments : message.segments.slice(0, priors)) {
    const current = orders.at(-1);
    const begins =
      segment.name === 'ORC' || (segment.name === 'OBR' && !current?.segments.every(({ name }) => name !== 'OBR'));
    if (!begins) (current?.segments ?? shared).push(segment);
    else {
      const control = segment.name === 'ORC' ? segment : current?.control;
      const word = readComponent(readField(control, 1), 1, message);
      const status = readComponent(readField(control, 5), 1, message);
      const state = { meaning: findMeaning(word, status), examStatus: findExamStatus(word, status) };
      const above = segment === control ? [] : findControl(current);
      orders.push({ segments: [...above, segment], control, ...state });
    }
  }
  return { shared, orders: orders.flatMap((order) => byExam(order, message)) };
}

/**
 * Steps that are scheduled for one request under several accession numbers (IPC-1) are separate exams, up to a limit per
 * request; the service joins those of one study. A step without a number belongs to the previous one.
 */
function byExam(order: Order, message: Message): readonly Order[] {
  const steps = order.segments.filter(({ name }) => name === 'IPC');
  if (steps.length < 2) return [order];
  let latest = '';
  const exams = Map.groupBy(steps, (step) => (latest = readComponent(readField(step, 1), 1, message) || latest));
  if (exams.size < 2 || exams.size > maxOrders) return [order];
  const others = order.segments.filter(({ name }) => name !== 'IPC');
  return [...exams.values()].map((some) => ({ ...order, segments: [...others, ...some] }));
}

/**
 * The segments above the request of an order, for an additional request under it: the control and the first time. The
 * numbers belong to the first request.
 */
const findControl = (order: Order | undefined): Segment[] => {
  const above =
    order?.segments.slice(
      0,
      order.segments.findIndex(({ name }) => name === 'OBR'),
    ) ?? [];
  const of = (wanted: string): Segment[] => above.filter(({ name }) => name === wanted).slice(0, 1);
  return [...of('ORC').map(withoutNumbers), ...of('TQ1')];
};

function withoutNumbers(control: Segment): Segment {
  const { name, fields } = control;
  // The third request has what the second one had: a message of many is no larger in memory.
  if ([2, 3].every((at) => !fields[at])) return control;
  return { name, fields: fields.map((field, at) => (at === 2 || at === 3 ? '' : field)) };
}

/** Each service of an appointment is an order, which the event and the status of the appointment control. */
export function appointmentIn(message: Message, event: string): Orders {
  const schedule = message.segments.find(({ name }) => name === 'SCH');
  const { common, services } = servicesIn(message.segments);
  if (!schedule && !services.some((segments) => segments.some(({ name }) => name === 'AIS')))
    return { shared: [], orders: [] };
  const appointment = readAppointment(event, readComponent(readField(schedule, 25), 1, message));
  // The numbers and the time of the appointment are those of its services.
  const above = ['SCH', 'TQ1'].flatMap((wanted) => common.find(({ name }) => name === wanted) ?? []);
  const orders = services.map((segments): Order => {
    const service = services.length > 1 ? segments.find(({ name }) => name === 'AIS') : undefined;
    const action = readComponent(readField(service, 2), 1, message);
    const status = readComponent(readField(service, 10), 1, message);
    const meaning = isTakenOut(action, status) ? 'cancelled' : appointment.meaning;
    return { segments: [...above, ...segments], control: undefined, ...appointment, meaning };
  });
  return { shared: common, orders };
}

/**
 * The services of an appointment (AIS, with their resources) and the requests for them (OBR): where there are as many requests as
 * services, each is for one. A single request is for all.
 */
function servicesIn(all: readonly Segment[]): { common: readonly Segment[]; services: readonly Segment[][] } {
  const above: Segment[] = [];
  const requests: Segment[][] = [];
  const services: Segment[][] = [];
  /** Resources of a group that names no service. */
  const resources: Segment[][] = [];
  let current = above;
  for (const segment of all) {
    const { name } = segment;
    if (name === 'OBR') requests.push((current = []));
    else if (name === 'RGS') resources.push((current = []));
    else if (name === 'AIS') {
      // The first service of a group has the segments between them.
      if (current === resources.at(-1)) resources.pop();
      else current = [];
      services.push(current);
    }
    current.push(segment);
  }
  const common = [...above, ...resources.flat()];
  if (requests.length < 2 && (requests.length === 1 || services.length < 2))
    return { common, services: [[...requests, ...services].flat()] };
  if (requests.length === 0) return { common, services };
  if (requests.length === services.length)
    return { common, services: requests.map((request, at) => [...request, ...(services[at] ?? [])]) };
  return { common: [...common, ...services.flat()], services: requests };
}

/** The place of a further patient, behind an order; -1 where there is none. */
export function secondPatient({ segments }: Message): number {
  const first = segments.findIndex(({ name }) => name === 'PID');
  const order = segments.findIndex(({ name }) => name === 'ORC' || name === 'OBR');
  if (first === -1 || order < first) return -1;
  return segments.findIndex(({ name }, at) => at > order && name === 'PID');
}
