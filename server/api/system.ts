/** The calls for the state of the server. */
import { machineClockOf } from '../../src/domain/clock.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { readinessWarnings, system } from '../../src/contract/system.ts';
import { findSpaceProblem, readDiskSpace } from '../../src/node/disk-space.ts';
import type { Backups } from '../operations/backups/backups.ts';
import type { Call } from '../http/call.ts';
import type { FixedContent } from '../../src/node/http/fixed-content.ts';
import type { Scrubbing } from '../operations/maintenance/scrub.ts';
import type { Retention } from '../operations/maintenance/retention.ts';
import { trashMs } from '../operations/maintenance/trash.ts';
import type { WatchedCalls } from '../http/watched-calls.ts';
import { metricsType } from '../operations/metrics/families.ts';
import type { MetricsPageDeps } from '../operations/metrics/metrics-page.ts';
import type { Metrics } from '../operations/metrics/metrics.ts';
import { createReadiness } from '../operations/readiness.ts';
import type { JobRunner } from '../records/jobs/job-runner.ts';
import type { SpeechRecognition } from '../speech/speech-recognition.ts';
import type { Writer } from '../speech/writer.ts';
import { isClockApart } from '../storage/members.ts';
import type { Members } from '../storage/members.ts';
import type { Store } from '../storage/store.ts';
import type { Blobs } from '../storage/blobs/blobs.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { collectionNames } from '../storage/collections.ts';
import type { StoreUsage } from '../storage/stores.ts';

export interface SystemFacts {
  readonly version: string;
  readonly rateLimit: number;
  /** ms since 1970. */
  readonly startedAt: number;
  readonly openapi: { readonly whole: FixedContent; readonly withoutWebhooks: FixedContent };
  readonly retention: Retention;
  /** The kind of audio store. */
  readonly blobs: string;
  /** Whether the audio is outside of the data directory. */
  readonly hasSharedAudio: boolean;
  readonly encrypted: boolean;
  /** Memory limit in bytes. */
  readonly memory: number;
  readonly usage: () => Promise<StoreUsage>;
  readonly scrubbing: Scrubbing;
  readonly metrics: Metrics;
  readonly channels: MetricsPageDeps['channels'];
  readonly calls: WatchedCalls;
  /** `undefined`: the server makes no backups by itself. */
  readonly backups: Backups | undefined;
  /** `undefined`: the data is in memory. */
  readonly directory: string | undefined;
}

const secondsOf = (ms: number | undefined): number | null => (ms === undefined ? null : Math.round(ms / 1000));

interface SystemDeps {
  readonly store: Store;
  readonly blobs: Pick<Blobs, 'probe'>;
  readonly clock: Clock;
  readonly recognition: Pick<SpeechRecognition, 'findRecogniser'>;
  readonly writer: Pick<Writer, 'name'>;
  readonly jobs: Pick<JobRunner, 'queue' | 'waiting'>;
  readonly members: Members;
}

export function systemRoutes(services: SystemDeps, facts: SystemFacts): Handlers<typeof system, Call> {
  const { store, clock, recognition, writer, jobs, members } = services;
  const requireReady = createReadiness(services, facts.hasSharedAudio);
  const begun = clock.elapsed();
  const uptime = () => Math.floor((clock.elapsed() - begun) / 1000);
  const health = () => ({ status: 'ok' as const, version: facts.version, uptime_s: uptime() });
  let measured: Promise<() => Promise<string>> | undefined;
  const openMeasured = async () => {
    const { createMetricsPage: createMeasured } = await import('../operations/metrics/metrics-page.ts');
    return createMeasured({
      ...facts,
      store,
      jobs,
      members,
      clock,
      requireReady,
      now: () => machineClockOf(clock).now(),
    });
  };
  const findWarnings = async (): Promise<(typeof readinessWarnings)[number][]> => {
    const { directory, backups } = facts;
    const space = directory === undefined ? undefined : await readDiskSpace(directory);
    return [
      ...(directory !== undefined && space && findSpaceProblem(directory, space) ? ['disk_almost_full' as const] : []),
      ...((await backups?.status())?.overdue ? ['backup_overdue' as const] : []),
      ...(isClockApart(members.clockLead()) ? ['clock_apart' as const] : []),
    ];
  };
  return {
    async metrics() {
      const text = await (await (measured ??= openMeasured()))();
      return { status: 200, headers: { 'Content-Type': metricsType }, body: text };
    },
    health: async () => ({ status: 200, data: health() }),
    async ready() {
      const degraded = [...(await requireReady())];
      return { status: 200, data: { ...health(), queue: jobs.queue(), degraded, warnings: await findWarnings() } };
    },
    openapi: ({ query }, { header }) => facts.openapi[query.webhooks === '0' ? 'withoutWebhooks' : 'whole'](header),
    async status() {
      const { directory, backups } = facts;
      const space = directory === undefined ? undefined : await readDiskSpace(directory);
      const backup = await backups?.status();
      const recogniser = recognition.findRecogniser({ test_mode: false });
      const counts = await Promise.all(
        collectionNames.map(async (name) => [name, await store.count(name, { roughly: true })] as const),
      );
      return {
        status: 200,
        data: {
          version: facts.version,
          started_at: new Date(facts.startedAt).toISOString(),
          uptime_s: uptime(),
          rate_limit: facts.rateLimit,
          recogniser: recogniser?.name ?? null,
          ...(recogniser?.models && { models: [...recogniser.models] }),
          writer: writer.name,
          queue: jobs.queue(),
          waiting: jobs.waiting(),
          store: store.name,
          blobs: facts.blobs,
          encrypted: facts.encrypted,
          retention: {
            completed_s: secondsOf(facts.retention.completed),
            audio_s: secondsOf(facts.retention.audio),
            trash_s: trashMs / 1000,
            audit_s: secondsOf(facts.retention.audit),
          },
          ...(await facts.usage()),
          scrub: facts.scrubbing.state(),
          ...(backup && { backup }),
          ...(space && { disk: { free_bytes: space.free, total_bytes: space.total } }),
          clock_lead_s: Math.round(members.clockLead() / 1000),
          memory_bytes: process.memoryUsage.rss(),
          memory_limit_bytes: facts.memory,
          stored: Object.fromEntries(counts),
        },
      };
    },
  };
}
