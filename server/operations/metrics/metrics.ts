/**
 * Counts events in the server for monitoring by /metrics. Counting is cheap; other values are read on request (metrics-page.ts). Labels
 * are words of the program (routes, methods, codes, kinds), never ids, names or raw URLs, so that they are few and contain no
 * patient data.
 */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { hasEnded } from '../../../src/domain/job-state.ts';
import type { EndedCall } from '../../http/watched-calls.ts';
import type { Log } from '../../runtime/log.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader, WrittenIds } from '../../storage/store.ts';
import { Counts, Histogram } from './families.ts';

/** In seconds. */
const callBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const diskBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5];
const waitBounds = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 4 * 3600, 24 * 3600];

const statusClasses = ['cut_off', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof statusClasses)[number];

/** Without a status, the connection ended before the answer. */
const classOf = (status: number | undefined): StatusClass =>
  statusClasses[Math.floor((status ?? 0) / 100)] ?? 'cut_off';

/** Calls of an endpoint by one method. */
export interface CallRow {
  readonly route: string;
  readonly method: string;
  readonly byStatus: Record<StatusClass, number>;
  readonly durations: Histogram;
}

/** The counters. */
export class Metrics {
  /** Grouped by endpoint and method; `undefined`: all paths outside of the API. */
  readonly #calls = new Map<Endpoint | undefined, Map<string, CallRow>>();
  readonly refusals = new Counts();
  readonly holds = new Counts();
  readonly logins = new Counts();
  readonly audioCalls = new Counts();
  readonly events = new Counts();
  readonly jobsEnded = new Counts();
  /** Ids of jobs that have begun and not ended: each waits only once, however often it is attempted. */
  readonly #begun = new Set<string>();
  readonly jobWaits = new Histogram(waitBounds);
  readonly deliveries = new Counts();
  readonly messages = new Counts();
  readonly commits = new Histogram(diskBounds);
  readonly syncs = new Histogram(diskBounds);
  /** Measured by the stores themselves. */
  readonly stores = {
    measureSync: (ms: number): void => this.syncs.observe(ms / 1000),
    countAudioCall: (outcome: string): void => this.audioCalls.add(outcome),
  };

  countCall = ({ request, endpoint, status, elapsed }: EndedCall): void => {
    const row = this.#rowOf(endpoint, request.method);
    row.byStatus[classOf(status)]++;
    row.durations.observe(elapsed / 1000);
    if (request.refusal !== undefined) this.refusals.add(request.refusal);
  };

  #rowOf(endpoint: Endpoint | undefined, method: string): CallRow {
    let rows = this.#calls.get(endpoint);
    if (!rows) this.#calls.set(endpoint, (rows = new Map()));
    let row = rows.get(method);
    if (!row) {
      const byStatus = { cut_off: 0, '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
      row = { route: endpoint?.path ?? 'other', method, byStatus, durations: new Histogram(callBounds) };
      rows.set(method, row);
    }
    return row;
  }

  get calls(): CallRow[] {
    return [...this.#calls.values()].flatMap((rows) => [...rows.values()]);
  }

  listStatuses({ byStatus }: CallRow): (readonly [status: string, count: number])[] {
    return statusClasses.map((status) => [status, byStatus[status]] as const).filter(([, count]) => count > 0);
  }

  /** A log whose entries are counted. */
  countLog(log: Log): Log {
    return (entry) => {
      this.events.add(entry.event);
      log(entry);
    };
  }

  /**
   * Reads the jobs, deliveries and messages that a transaction has written, before its end, since afterwards they are packed. Call the
   * result once the transaction is committed: it counts them, each in the member that has committed it.
   */
  async readWritten(tx: Reader, written: readonly WrittenIds[]): Promise<() => void> {
    const counts: (() => void)[] = [];
    for (const { collection, ids } of written) {
      if (collection !== 'jobs' && collection !== 'deliveries' && collection !== 'messages') continue;
      for (const id of ids) {
        if (collection === 'jobs') {
          const job = await tx.get(collection, id);
          counts.push(() => this.#countJob(id, job));
        } else if (collection === 'deliveries') {
          const delivery = await tx.get(collection, id);
          counts.push(() => this.#countDelivery(delivery));
        } else {
          const message = await tx.get(collection, id);
          counts.push(() => this.#countMessage(message));
        }
      }
    }
    return () => {
      for (const count of counts) count();
    };
  }

  #countJob(id: string, job: Documents['jobs'] | undefined): void {
    if (job?.status === 'in_progress' && !this.#begun.has(id)) {
      this.#begun.add(id);
      this.jobWaits.observe(Math.max(0, Date.parse(job.updated_at) - Date.parse(job.created_at)) / 1000);
    }
    if (job && !hasEnded(job.status)) return;
    this.#begun.delete(id);
    if (job) this.jobsEnded.add(job.type, job.status);
  }

  #countDelivery(delivery: Documents['deliveries'] | undefined): void {
    if (!delivery || (delivery.status === 'pending' && delivery.attempts.length === 0)) return;
    this.deliveries.add(delivery.status === 'pending' ? 'to_be_repeated' : delivery.status);
  }

  #countMessage(message: Documents['messages'] | undefined): void {
    if (!message || (message.state === 'waiting' && (message.attempts ?? 0) === 0)) return;
    this.messages.add(message.direction, message.state === 'waiting' ? 'to_be_repeated' : message.state);
  }
}
