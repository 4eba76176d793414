/** How an app is mounted at the server. */
import type { FastifyInstance } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import type { Sealing } from '../src/node/files/sealing.ts';
import type { Engines } from './speech/engines.ts';

/** The parts of the server that a mounted app gets. */
export interface MountHost {
  /** A Fastify scope of the app's own: parsers, hooks and error handlers set here apply only here. */
  readonly fastify: FastifyInstance;
  /** The API without a network, not counted against quotas. It answers once the server is ready. */
  readonly transport: Transport;
  readonly adminToken: string;
  /** Encrypts files of the app in the data directory; `undefined` where the directory is not encrypted. */
  readonly sealing: Sealing | undefined;
  readonly models: Engines['models'];
  /** Makes a client the app's own until the server stops: by logging in for it a person has approved it. */
  adopt(clientId: string): void;
}

/** Mounts an app; the server calls the app's `close` before it stops answering. */
export type Mount = (host: MountHost) => Promise<{ close(): Promise<void> }>;
