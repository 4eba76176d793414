/** The embedded server: the only module that code outside the server imports. */
import type { Faults } from './qa/faults/faults.ts';
import type { Inspector } from './qa/inspector/inspector.ts';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import { cannotListen } from '../src/node/listen-error.ts';
import { chosenStores, createApp } from './app.ts';
import type { Timekeeper } from './runtime/clock/timekeeper.ts';
import type { ModelOffer, ModelOfferOptions } from './speech/registry.ts';
import { builtInTestClient } from './auth/bootstrap.ts';
import type { Log } from './runtime/log.ts';
import type { Mount, MountHost } from './mount.ts';
import { isShared, readOptions, usualStore } from './options.ts';
import type { ServerOptions } from './options.ts';
import type { KeyOptions, KeyPlace } from './storage/data-directory/encryption.ts';
import { processEnvironment } from './runtime/processes/own-process.ts';
import type { LaunchProcess, ProcessEnd } from './runtime/processes/own-process.ts';
import type { CheckReport, RepairReport } from './storage/condition.ts';
import type { CareOptions } from './storage/stores.ts';

export { builtInTestClient, isShared };
export { processEnvironment };
export type { ContractReport } from './qa/conformance/index.ts';
export type {
  CheckReport,
  KeyOptions,
  LaunchProcess,
  Log,
  ModelOffer,
  ModelOfferOptions,
  Mount,
  MountHost,
  ProcessEnd,
  RepairReport,
  ServerOptions,
};

// What is done where no server runs is loaded when it is done: no start of a server waits for it.
export const engineCare = () => import('./speech/engine-care.ts');
export const sealedBackup = () => import('./storage/sealing/sealed-backup.ts');
export const conformance = () => import('./qa/conformance/index.ts');
export const recording = () => import('./qa/recording/index.ts');
export const rehearsal = () => import('./worklists/ingest/rehearsal.ts');

export interface Server {
  /** The URL of the server: `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Where browsers reach the server behind a proxy; `undefined`: at `url`. */
  readonly publicUrl: string | undefined;
  /** The token for the operator's calls. It is valid as long as the server runs. */
  readonly adminToken: string;
  /** The transport for a client in this process: without a network, not counted against quotas. */
  readonly transport: Transport;
  /** The calls that reached the server lately, without what was said in them. */
  readonly inspector: Inspector;
  /** The rules by which calls go wrong: add some, remove them, and see what they struck. */
  readonly faults: Faults;
  /** Shows the time of the server, and moves a simulated one. */
  readonly clock: Timekeeper;
  /** Whether ids and secrets of webhooks are made of a seed. */
  readonly isSeeded: boolean;
  /** Name of the recogniser for real patients at the start; `undefined`: none, and audio waits as jobs. */
  readonly recogniser: string | undefined;
  /** The host to which the recogniser sends sound; `undefined`: to none. */
  readonly sendsTo: string | undefined;
  /** Why a speech model that is installed is not used, and what to do. */
  readonly engineProblems: readonly { readonly message: string; readonly hint: string }[];
  /** Whether test clients have that recogniser as well, instead of the simulation. */
  readonly testReal: boolean;
  /** Where the key of the data directory is; `undefined` where the directory is not encrypted. */
  readonly encryptedBy: KeyPlace | undefined;
  /** The kinds of data that are lost when this server stops. */
  readonly forgets: readonly ('documents' | 'audio')[];
  /** Makes a call without a network. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Finishes running work and releases everything. */
  close(): Promise<void>;
}

/** A data directory and the stores whose data it holds. Defaults are as in `ServerOptions`. */
export type StoresOfDirectory = CareOptions & Pick<ServerOptions, 'store' | 'blobs'>;

/**
 * Checks all stored data without changing any, also while in use. AppError CONFIGURATION where the data cannot be read.
 */
export const checkStores = ({ store = usualStore, blobs, ...options }: StoresOfDirectory): Promise<CheckReport> =>
  chosenStores({ store, blobs }).check(options);

/**
 * Rescues the readable documents of a store that does not open. AppError CONFIGURATION where it is in use or lacks its
 * key.
 */
export const repairStores = ({ store = usualStore, blobs, ...options }: StoresOfDirectory): Promise<RepairReport> =>
  chosenStores({ store, blobs }).repair(options);

/** Starts the embedded server: the whole API on one port, ready when the promise settles. */
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
