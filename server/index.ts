/** The embedded server: the only module that code outside the server imports. */
import type { Faults } from './qa/faults/faults.ts';
import type { Inspector } from './qa/inspector/inspector.ts';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import type { Dial } from '../src/node/http/web-socket.ts';
import { cannotListen } from '../src/node/listen-error.ts';
import { selectStores, createApp } from './app.ts';
import type { Timekeeper } from './runtime/clock/timekeeper.ts';
import type { ModelManager, ModelManagerOptions } from './speech/registry.ts';
import { builtInTestClient } from './auth/bootstrap.ts';
import type { Log } from './runtime/log.ts';
import type { Mount, MountHost } from './mount.ts';
import type { SharedApp, SharedSession, SharedSessions } from './operations/shared-app.ts';
import { isShared, readOptions, defaultStore } from './options.ts';
import type { ServerOptions } from './options.ts';
import type { KeyOptions, KeyPlace } from './storage/data-directory/encryption.ts';
import { processEnvironment } from './runtime/processes/own-process.ts';
import type { LaunchProcess, ProcessEnd } from './runtime/processes/own-process.ts';
import type { CheckReport, RepairReport } from './storage/condition.ts';
import type { AnnouncedEvent } from './storage/feeds.ts';
import type { CareOptions, CheckOptions } from './storage/stores.ts';

export { builtInTestClient, isShared };
export { processEnvironment };
export type { ContractReport } from './qa/conformance/index.ts';
export type {
  CheckReport,
  KeyOptions,
  LaunchProcess,
  Log,
  ModelManager,
  ModelManagerOptions,
  Mount,
  MountHost,
  ProcessEnd,
  RepairReport,
  ServerOptions,
  SharedApp,
  SharedSession,
  SharedSessions,
};

export { listExportable } from './operations/maintenance/withheld.ts';

// Tools that work without a running server load on demand, so that no start waits for them.
export const engineCare = () => import('./speech/engine-tools.ts');
export const sealedBackup = () => import('./storage/sealing/sealed-backup.ts');
export const conformance = () => import('./qa/conformance/index.ts');
export const recording = () => import('./qa/recording/index.ts');
export const rehearsal = () => import('./worklists/ingest/rehearsal.ts');

export interface Server {
  /** The URL of the server: `http://127.0.0.1:41234`. */
  readonly url: string;
  /** URL of the server for browsers behind a proxy; `undefined`: `url`. */
  readonly publicUrl: string | undefined;
  /** Token for the operator's calls, valid while the server runs. */
  readonly adminToken: string;
  /** Transport for clients in this process: no network, no quotas. */
  readonly transport: Transport;
  /** Opens WebSockets of the server within this process: no network. */
  readonly dial: Dial;
  /** The most recent calls of the server, without their content. */
  readonly inspector: Inspector;
  /** Rules for simulated faults: add, remove, and see what they struck. */
  readonly faults: Faults;
  /** Calls the listener for each event that the server announces to webhooks, until the returned function is called. */
  followEvents(listener: (announced: AnnouncedEvent) => void): () => void;
  /** Shows the server's time, and moves a simulated clock. */
  readonly clock: Timekeeper;
  /** Whether ids and webhook secrets are derived from a seed. */
  readonly isSeeded: boolean;
  /** Name of the recogniser for real patients at the start; `undefined`: none, and audio waits as jobs. */
  readonly recogniser: string | undefined;
  /** Host that the recogniser sends audio to; `undefined`: none. */
  readonly sendsTo: string | undefined;
  /** Why an installed speech model is not used or what the recogniser lacks, and what to do. */
  readonly engineProblems: readonly { readonly message: string; readonly hint: string }[];
  /** Whether test clients use that recogniser too, instead of the simulation. */
  readonly testReal: boolean;
  /** Where the key of the data directory is; `undefined`: the directory is not encrypted. */
  readonly encryptedBy: KeyPlace | undefined;
  /** Kinds of data that are lost when this server stops. */
  readonly forgets: readonly ('documents' | 'audio')[];
  /** Whether no other process can work over the same store: only then the app is at `/`, and a setup code counts. */
  readonly isAlone: boolean;
  /** Makes a call without network. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Finishes running work and releases all resources. */
  close(): Promise<void>;
}

/** A data directory and its stores. Defaults are those of `ServerOptions`. */
export type StoresOfDirectory = CareOptions & Pick<ServerOptions, 'store' | 'blobs'>;

/** Checks all stored data without changing it, even while in use. AppError CONFIGURATION if the data cannot be read. */
export const checkStores = ({
  store = defaultStore,
  blobs,
  ...options
}: StoresOfDirectory & CheckOptions): Promise<CheckReport> => selectStores({ store, blobs }).check(options);

/** Rescues the readable documents of a store that does not open. AppError CONFIGURATION if it is in use or its key is missing. */
export const repairStores = ({ store = defaultStore, blobs, ...options }: StoresOfDirectory): Promise<RepairReport> =>
  selectStores({ store, blobs }).repair(options);

/** Starts the embedded server: the whole API on one port. Resolves once it is ready. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const app = await createApp(readOptions(options));
  const { fastify, ...told } = app;
  let url = 'http://localhost';
  if (options.port !== undefined) {
    const { host = '127.0.0.1', port } = options;
    try {
      url = await fastify.listen({ host, port });
    } catch (error) {
      await app.close();
      throw cannotListen(error, host, port);
    }
  }
  app.warmUp();
  return {
    url,
    ...told,
    testReal: options.testReal ?? false,
    isSeeded: options.seed !== undefined,
    inject: (request) => fastify.inject(request),
    close: () => app.close(),
  };
}
