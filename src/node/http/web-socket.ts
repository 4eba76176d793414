/** Opens WebSockets: over the network, or over a stream within the process. The library loads with the first one. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Opens a connection to `ws://` or `wss://`; failures are events of the socket. */
export type Dial = (address: string) => Promise<WebSocket>;

const limits = { handshakeTimeout: 10_000, maxPayload: 4 * 1024 * 1024, perMessageDeflate: false } as const;

export const dialNetwork: Dial = async (address) => {
  const { WebSocket: Socket } = await import('ws');
  return new Socket(address, limits);
};

/** `connect`: opens a stream to the server, whatever the address. */
export const dialThrough =
  (connect: () => Duplex): Dial =>
  async (address) => {
    const { WebSocket: Socket } = await import('ws');
    return new Socket(address, { ...limits, createConnection: connect as never });
  };
