/** How an app is mounted on the server. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import type { Dial } from '../src/node/http/web-socket.ts';
import type { Sealing } from '../src/node/files/sealing.ts';
import type { SharedApp } from './operations/shared-app.ts';
import type { Engines } from './speech/engines.ts';

/** Parts of the server for a mounted app. */
export interface MountHost {
  /** A separate Fastify scope: its parsers, hooks and error handlers apply only there. */
  readonly fastify: FastifyInstance;
  /** The API without network and quotas. It answers once the server is ready. */
  readonly transport: Transport;
  /** WebSockets of the server without network. */
  readonly dial: Dial;
  readonly adminToken: string;
  /** Encrypts files of the app in the data directory; `undefined`: the directory is not encrypted. */
  readonly sealing: Sealing | undefined;
  readonly models: Engines['models'];
  /** The part of the app that other processes of the server share; `undefined`: there can be none. */
  readonly shared: SharedApp | undefined;
  /** Whether a login provider logs people in, so that no user has to be created first. */
  readonly hasProvider: boolean;
  /** Marks a client as the app's own: logging in implies consent. */
  adopt(clientId: string): Promise<void>;
  /** Enters a wrong setup code into the audit trail. */
  noteWrongSetupCode(request: FastifyRequest): void;
}

export interface MountedApp {
  /** Called when all documents of the store have been replaced. */
  renew?(): Promise<void>;
  /** Called before the server stops answering. */
  close(): Promise<void>;
}

/** Mounts an app. */
export type Mount = (host: MountHost) => Promise<MountedApp>;
