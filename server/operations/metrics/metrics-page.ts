/** The metrics page: counters, and values read on request. Loaded with the first request. */
import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { degradableParts } from '../../../src/contract/system.ts';
import { daysLeft } from '../../../src/domain/certificate-ending.ts';
import type { Channels } from '../../delivery/channels/channels.ts';
import { readBacklog } from '../../delivery/channels/backlog.ts';
import type { WatchedCalls } from '../../http/watched-calls.ts';
import type { JobRunner } from '../../records/jobs/job-runner.ts';
import { readDiskSpace } from '../../../src/node/disk-space.ts';
import type { Backups } from '../backups/backups.ts';
import type { Scrubbing } from '../maintenance/scrub.ts';
import type { Degradation } from '../readiness.ts';
import type { OperationDeps } from '../deps.ts';
import type { Members } from '../../storage/members.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import { collectionNames } from '../../storage/collections.ts';
import type { StoreUsage } from '../../storage/stores.ts';
import { familiesText } from './families.ts';
import type { Family, Sample } from './families.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsPageDeps extends Pick<OperationDeps, 'store' | 'clock'> {
  readonly jobs: Pick<JobRunner, 'queue' | 'waiting'>;
  readonly metrics: Metrics;
  readonly calls: WatchedCalls;
  readonly version: string;
  readonly channels: Pick<Channels, 'findExpiries'>;
  /** Time of the machine's clock. */
  readonly now: () => number;
  /** Memory limit in bytes. */
  readonly memory: number;
  readonly usage: () => Promise<StoreUsage>;
  readonly scrubbing: Pick<Scrubbing, 'state' | 'faultsTotal'>;
  readonly backups: Backups | undefined;
  readonly directory: string | undefined;
  readonly members: Pick<Members, 'present' | 'clockLead'>;
  /** Rejects while the server cannot write. */
  readonly requireReady: () => Promise<readonly Degradation[]>;
}

const createFamily =
  (type: Family['type']) =>
  (name: string, help: string, samples: Family['samples']): Family => ({ name, help, type, samples });
const counter = createFamily('counter');
const histogram = createFamily('histogram');
const gauges = createFamily('gauge');
const gauge = (name: string, help: string, value: number): Family => gauges(name, help, [{ value }]);

/** Creates the text of the page. The event loop's delay is measured from the first page on, and restarts with each. */
export function createMetricsPage(parts: MetricsPageDeps): () => Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let utilisation = performance.eventLoopUtilization();
  return async () => {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, utilisation);
    utilisation = now;
    const loop = { busy: since.utilization, p99: delay.percentile(99) / 1e9, max: delay.max / 1e9 };
    delay.reset();
    return familiesText([
      ...callFamilies(parts),
      ...(await workFamilies(parts)),
      ...(await channelFamilies(parts)),
      ...(await storeFamilies(parts)),
      ...(await safetyFamilies(parts)),
      ...(await memberFamilies(parts)),
      ...(await processFamilies(parts, loop)),
    ]);
  };
}

function callFamilies({ metrics, calls }: MetricsPageDeps): Family[] {
  const rows = metrics.calls;
  return [
    counter(
      'laudio_http_requests_total',
      'Requests by route, method and status class. cut_off: the connection was closed before the answer.',
      rows.flatMap((row) =>
        metrics
          .listStatuses(row)
          .map(([status, value]) => ({ labels: { route: row.route, method: row.method, status }, value })),
      ),
    ),
    histogram(
      'laudio_http_request_duration_seconds',
      'Time from the arrival of a request to the end of its answer; for event streams, to its beginning.',
      rows.flatMap(({ route, method, durations }) => durations.samples({ route, method })),
    ),
    counter(
      'laudio_http_refusals_total',
      'Refused requests by error code; RATE_LIMIT_EXCEEDED: above the rate limit.',
      metrics.refusals.samples('code'),
    ),
    counter(
      'laudio_event_loop_held_total',
      'Times that a call blocked the event loop for 100 ms or more; other: an unknown call, or none.',
      metrics.holds.samples('call'),
    ),
    gauge('laudio_http_requests_in_flight', 'Requests without an answer so far.', calls.inFlight),
    gauge('laudio_event_streams_open', 'Open event streams.', calls.streams),
    counter(
      'laudio_logins_total',
      'Logins of people by password or login provider.',
      metrics.logins.samples('outcome'),
    ),
  ];
}

async function workFamilies({ metrics, store, jobs, channels, now }: MetricsPageDeps): Promise<Family[]> {
  const open = await Promise.all(
    (['queued', 'in_progress'] as const).map(async (status) => ({
      labels: { status },
      value: await store.count('jobs', { is: { status } }),
    })),
  );
  const pending = await store.count('deliveries', { is: { status: 'pending' } });
  const undone = await Promise.all(
    (['waiting', 'refused'] as const).map(async (state) => ({
      labels: { state },
      value: await store.count('messages', { is: { state } }),
    })),
  );
  const queue = jobs.queue();
  return [
    gauges('laudio_jobs', 'Jobs that have not ended.', open),
    counter('laudio_jobs_ended_total', 'Jobs that ended.', metrics.jobsEnded.samples('type', 'status')),
    histogram(
      'laudio_job_wait_seconds',
      'Time from the request for a job to its first attempt.',
      metrics.jobWaits.samples(),
    ),
    gauge('laudio_dictations_waiting', 'Dictations waiting for the recogniser.', queue.waiting),
    gauge(
      'laudio_recogniser_available',
      '1 if the recogniser for real patients is available.',
      Number(queue.available),
    ),
    counter(
      'laudio_webhook_attempts_total',
      'Attempts to deliver an event, by outcome.',
      metrics.deliveries.samples('outcome'),
    ),
    gauge('laudio_webhook_deliveries_pending', 'Events waiting for delivery.', pending),
    counter(
      'laudio_channel_messages_total',
      'Messages of channels by outcome; each retry counts.',
      metrics.messages.samples('direction', 'outcome'),
    ),
    gauges(
      'laudio_channel_messages_open',
      'Messages of channels that are not done. refused: a person must look at them.',
      undone,
    ),
    gauges(
      'laudio_channel_certificate_days',
      'Days until the first certificate of open channels expires, by kind and setting; below 0: expired.',
      (await channels.findExpiries()).map((ending) => ({
        labels: { kind: ending.kind, setting: ending.setting },
        value: daysLeft(ending.until, now()),
      })),
    ),
    counter('laudio_log_entries_total', 'Log entries except calls.', metrics.events.samples('event')),
  ];
}

/** Labelled with the operator's names of the channels. */
async function channelFamilies({ store, clock }: MetricsPageDeps): Promise<Family[]> {
  const messages: Sample[] = [];
  const oldest: Sample[] = [];
  const last: Sample[] = [];
  const secondsSince = (at: string): number => Math.max(0, clock.now() - Date.parse(at)) / 1000;
  // Each channel has its own queries.
  const breathe = createBreaks();
  for (const { id, name: channel } of await store.find('channels', {})) {
    const { waiting, refused, oldestOpen, lastMessageAt } = await readBacklog(store, id);
    messages.push({ labels: { channel, state: 'waiting' }, value: waiting });
    messages.push({ labels: { channel, state: 'refused' }, value: refused });
    oldest.push({ labels: { channel }, value: oldestOpen ? secondsSince(oldestOpen.at) : 0 });
    if (lastMessageAt !== null) last.push({ labels: { channel }, value: secondsSince(lastMessageAt) });
    await breathe();
  }
  return [
    gauges('laudio_channel_messages', 'Messages that are not done, by channel.', messages),
    gauges('laudio_channel_oldest_open_seconds', 'Age of the oldest message that is not done; 0: none.', oldest),
    gauges(
      'laudio_channel_last_message_seconds',
      'Time since a message was last received or delivered; absent if there was none.',
      last,
    ),
  ];
}

/** Values that warn before data is lost. */
async function safetyFamilies({ backups, directory }: MetricsPageDeps): Promise<Family[]> {
  const space = directory === undefined ? undefined : await readDiskSpace(directory);
  const status = await backups?.status();
  const last = status?.last_at ?? null;
  return [
    gauges('laudio_disk_free_bytes', 'Room on the disk of the data.', space ? [{ value: space.free }] : []),
    gauges('laudio_disk_bytes', 'Size of the disk of the data.', space ? [{ value: space.total }] : []),
    gauges(
      'laudio_backup_last_timestamp_seconds',
      'The moment whose state the last whole backup holds; absent without one.',
      last === null ? [] : [{ value: Date.parse(last) / 1000 }],
    ),
    gauges(
      'laudio_backup_overdue',
      '1 if the last planned backup failed, or is twice as old as planned; absent without a plan.',
      status ? [{ value: Number(status.overdue) }] : [],
    ),
  ];
}

/** Absent while the store does not answer. */
async function memberFamilies({ members }: MetricsPageDeps): Promise<Family[]> {
  const present = await members.present().catch(() => undefined);
  const samples = present === undefined ? [] : [{ value: present.size }];
  return [
    gauges('laudio_members', 'Processes that work over the store, with this one.', samples),
    gauge(
      'laudio_clock_lead_seconds',
      "How far the clock of this computer is ahead of the database's; 0 where several processes can't share the store.",
      members.clockLead() / 1000,
    ),
  ];
}

async function storeFamilies({ metrics, store, usage, scrubbing, requireReady }: MetricsPageDeps): Promise<Family[]> {
  const [used, degraded, documents] = await Promise.all([
    usage(),
    requireReady().catch(() => undefined),
    Promise.all(
      collectionNames.map(async (collection) => ({
        labels: { collection },
        value: await store.count(collection, { roughly: true }),
      })),
    ),
  ]);
  const { completed_at: completed, faults } = scrubbing.state();
  return [
    gauge(
      'laudio_ready',
      '0 while the server cannot write: the disk fails, or memory is nearly full.',
      Number(degraded !== undefined),
    ),
    gauges(
      'laudio_degraded',
      '1 while the service behind that part refuses, and calls that need it; the others go on.',
      degradableParts.map((part) => ({ labels: { part }, value: Number(degraded?.includes(part) ?? false) })),
    ),
    histogram('laudio_store_commit_seconds', 'Time until a transaction was durable.', metrics.commits.samples()),
    histogram(
      'laudio_store_sync_seconds',
      'Time of a sync of the journal; one makes many commits durable.',
      metrics.syncs.samples(),
    ),
    counter(
      'laudio_audio_calls_total',
      'Calls to the service that keeps the audio. refused: by its answer; failed: no answer, or a passing failure.',
      metrics.audioCalls.samples('outcome'),
    ),
    counter('laudio_store_refused_total', 'Changes that the store refused.', [{ value: store.setbacks() }]),
    gauges('laudio_store_documents', 'Stored documents.', documents),
    gauge('laudio_store_bytes', 'Bytes of documents on disk.', used.documents_bytes),
    gauges(
      'laudio_store_scrub_completed_timestamp_seconds',
      'When all document files were last compared with their checksums; absent before the first time.',
      completed === null ? [] : [{ value: Date.parse(completed) / 1000 }],
    ),
    gauge('laudio_store_scrub_faults', 'Faults found by the last scrub.', faults),
    counter('laudio_store_scrub_faults_total', 'Faults found by scrubs since the start.', [
      { value: scrubbing.faultsTotal() },
    ]),
    gauges(
      'laudio_audio_files',
      'Stored audio files; absent while the service that keeps them has not answered.',
      toSamples(used.audio_files),
    ),
    gauges('laudio_audio_bytes', 'Bytes of stored audio; absent as the files are.', toSamples(used.audio_bytes)),
  ];
}

const toSamples = (value: number | null): Sample[] => (value === null ? [] : [{ value }]);

interface Loop {
  /** Share of the time since the last page. */
  readonly busy: number;
  /** In seconds. */
  readonly p99: number;
  readonly max: number;
}

/** Uses the metric names of Prometheus for processes, and of its Node library. */
async function processFamilies({ version, memory }: MetricsPageDeps, { busy, p99, max }: Loop): Promise<Family[]> {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const files = await readdir('/proc/self/fd').catch(() => undefined);
  return [
    gauges('laudio_build_info', 'The running version.', [
      { labels: { version, node: process.versions.node }, value: 1 },
    ]),
    gauge('laudio_memory_limit_bytes', 'Memory that the server may use.', memory),
    counter('process_cpu_seconds_total', 'Processor time, of user and system.', [{ value: (user + system) / 1e6 }]),
    gauge(
      'process_start_time_seconds',
      'When the process started, in seconds since 1970.',
      Math.round(performance.timeOrigin) / 1000,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', rss),
    ...(files ? [gauge('process_open_fds', 'Open files and connections.', files.length)] : []),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap.', heapTotal),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers outside the heap.', external),
    gauge(
      'nodejs_active_resources',
      'Timers, handles and requests that keep the event loop alive.',
      process.getActiveResourcesInfo().length,
    ),
    gauge(
      'nodejs_eventloop_utilization',
      'Share of the time since the last page in which the event loop was busy.',
      busy,
    ),
    gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop since the last page, 99th percentile.', p99),
    gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay of the event loop since the last page.', max),
  ];
}
