/**
 * Writes the progress of a report back to the orders of its exam, on the server that placed them. The server that has an order owns
 * it: each change is made to its newest version alone (R4, 3.1.0.5), and only forwards.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { ExamResources } from '../../../../../src/domain/fhir-references.ts';
import type { SendResult } from '../../channel.ts';
import { retryLater, refuse } from '../../failures.ts';
import { toSendResult } from '../../sending/http-verdict.ts';
import type { FhirClient, Resource } from '../fhir/client.ts';

type Failure = Exclude<SendResult, { state: 'delivered' }>;

export const orderStatusChoices = ['keep', 'task', 'request', 'both'] as const;
export type OrderStatus = (typeof orderStatusChoices)[number];

/** The report, as the server knows it. */
interface WrittenReport {
  readonly isFinal: boolean;
  /** Its identifier there. */
  readonly identifier: object;
}

/** Statuses of tasks that somebody still works on (R4 task-status), in which an order can be fulfilled. */
const openTasks = ['requested', 'received', 'accepted', 'ready', 'in-progress'];

/** Resolves to the first failure; `undefined`: all orders are written. */
export async function writeOrderStatus(
  client: FhirClient,
  choice: OrderStatus,
  { requests }: Pick<ExamResources, 'requests'>,
  report: WrittenReport,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<Failure | undefined> {
  const tasks = choice === 'task' || choice === 'both';
  const orders = (choice === 'request' || choice === 'both') && report.isFinal;
  for (const id of requests) {
    const found = await Promise.all([
      tasks ? findTasks(client, id, report, signal) : [],
      orders ? findOrder(client, id, signal) : [],
    ]).catch((error: unknown) => toRefusal(error, now()));
    if (!Array.isArray(found)) return found;
    for (const resource of found.flat()) {
      const failure = await replace(client, resource, now, signal);
      if (failure) return failure;
    }
  }
  return undefined;
}

/** The order as completed; none if it is gone, or was revoked, completed or put on hold by whoever placed it. */
async function findOrder(client: FhirClient, id: string, signal: AbortSignal): Promise<Resource[]> {
  const order = (await client.get(client.urlOf(`ServiceRequest/${id}`), signal))?.resource;
  return order?.['status'] === 'active' ? [{ ...order, status: 'completed' }] : [];
}

/** The open tasks whose focus is the order, as they are to be. */
async function findTasks(
  client: FhirClient,
  id: string,
  { isFinal, identifier }: WrittenReport,
  signal: AbortSignal,
): Promise<Resource[]> {
  const url = client.urlOf('Task');
  url.search = new URLSearchParams({ focus: `ServiceRequest/${id}`, status: openTasks.join(',') }).toString();
  const bundle = (await client.get(url, signal))?.resource;
  const entries = Array.isArray(bundle?.['entry']) ? (bundle['entry'] as unknown[]) : [];
  const status = isFinal ? 'completed' : 'in-progress';
  return entries.flatMap((entry): Resource[] => {
    const task = isPlainObject(entry) ? entry['resource'] : undefined;
    if (!isPlainObject(task) || task['resourceType'] !== 'Task' || task['status'] === status) return [];
    if (!openTasks.includes(String(task['status']))) return [];
    const before = Array.isArray(task['output']) ? (task['output'] as unknown[]) : [];
    const output = { type: { text: 'DiagnosticReport' }, valueReference: { type: 'DiagnosticReport', identifier } };
    return [{ ...task, status, ...(isFinal && { output: [...before, output] }) }];
  });
}

async function replace(
  client: FhirClient,
  resource: Resource,
  now: () => number,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const name = `${String(resource['resourceType'])}/${String(resource['id'])}`;
  const version = isPlainObject(resource['meta']) ? resource['meta']['versionId'] : undefined;
  const match = typeof version === 'string' ? `W/"${version}"` : undefined;
  const { status, wait } = await client.write('PUT', client.urlOf(name), resource, signal, match);
  // The order has changed since it was read.
  if (status === 409 || status === 412) return retryLater('ORDER_CHANGED', 'The order was changed at the same time.');
  const result = toSendResult(status, wait, now());
  if (result.state === 'delivered') return undefined;
  return result.state === 'again' ? result : notWritten(status);
}

/** A read that is refused for good, which another attempt would not change. Throws any other failure. */
function toRefusal(error: unknown, now: number): Failure {
  const status = error instanceof AppError ? error.details?.['status'] : undefined;
  if (typeof status !== 'number' || toSendResult(status, undefined, now).state !== 'refused') throw error;
  return notWritten(status);
}

const notWritten = (status: number): Failure =>
  refuse(
    'ORDER_NOT_WRITTEN',
    `The report is stored, but the other side answered the status of its order with ${status}.`,
    'Have it allow this client to read and write Task and ServiceRequest, or set order_status to keep, and retry.',
  );
