/** Connects to another system over TCP, with TLS if configured; the other side must authenticate. */
import { constants } from 'node:crypto';
import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect as connectByTls } from 'node:tls';
import type { TlsFiles } from './files.ts';

/** The certificates that a TLS client presents and trusts. */
export interface CallingTls extends TlsFiles {
  /** The name that its certificate must have; default: its host. */
  readonly serverName?: string;
}

export interface ConnectTarget {
  readonly host: string;
  readonly port: number;
  /** `undefined`: no TLS. */
  readonly tls?: CallingTls | undefined;
}

/**
 * BCP 195 (RFC 9325): TLS 1.2 with suites that provide forward secrecy and authenticated encryption, and without
 * renegotiation, by which one side keeps the other computing.
 */
export const bcp195 = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'DHE-RSA-AES128-GCM-SHA256',
    'DHE-RSA-AES256-GCM-SHA384',
  ].join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** An IP address is no name for SNI. */
const isName = (host: string): boolean => !/^[\d.]+$|:/.test(host);

/** Begins a connection; `readyEvent` is the event that makes it usable. */
export function openConnection({ host, port, tls }: ConnectTarget): Socket {
  if (!tls) return connectPlain({ host, port, noDelay: true, keepAlive: true });
  const { serverName = host, ...files } = tls;
  const socket = connectByTls({
    host,
    port,
    ...files,
    servername: isName(serverName) ? serverName : '',
    ...bcp195,
    checkServerIdentity: (_called, certificate) => checkServerIdentity(serverName, certificate),
  });
  return socket.setNoDelay(true).setKeepAlive(true);
}

export const readyEvent = ({ tls }: ConnectTarget): 'connect' | 'secureConnect' => (tls ? 'secureConnect' : 'connect');
