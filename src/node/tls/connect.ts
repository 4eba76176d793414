/** Calls another system over TCP, by TLS where it is wanted: 1.2 or later, and whoever answers must show who it is. */
import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect as connectByTls } from 'node:tls';
import type { TlsFiles } from './files.ts';

/** What is shown, to those who ask, and asked for by TLS. */
export interface CallingTls extends TlsFiles {
  /** The name that its certificate must have; default: its host. */
  readonly serverName?: string;
}

export interface Called {
  readonly host: string;
  readonly port: number;
  /** `undefined`: no TLS. */
  readonly tls?: CallingTls | undefined;
}

export const oldestTls = 'TLSv1.2';

/** An address is no name that a server could be asked for. */
const isName = (host: string): boolean => !/^[\d.]+$|:/.test(host);

/** Begins a connection; `readyEvent` names what tells that it can be used. */
export function call({ host, port, tls }: Called): Socket {
  if (!tls) return connectPlain({ host, port, noDelay: true, keepAlive: true });
  const { serverName = host, ...files } = tls;
  const socket = connectByTls({
    host,
    port,
    ...files,
    servername: isName(serverName) ? serverName : '',
    minVersion: oldestTls,
    checkServerIdentity: (_called, certificate) => checkServerIdentity(serverName, certificate),
  });
  return socket.setNoDelay(true).setKeepAlive(true);
}

export const readyEvent = ({ tls }: Called): 'connect' | 'secureConnect' => (tls ? 'secureConnect' : 'connect');
