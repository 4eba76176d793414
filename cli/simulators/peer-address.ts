/** Addresses of other systems: `2575`, `host:2575`, `[::1]:2575`; and the fields of their messages. */
import type { Channel } from '../../src/contract/channel.ts';
import { AppError } from '../../src/contract/errors.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export function peerAddress(said: string, option: string): Address {
  const [, bracketed, plain, port] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(said.trim()) ?? [];
  if (port !== undefined && Number(port) <= 65_535)
    return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
  throw new AppError('USAGE', {
    message: `${option} takes a port, or a host and a port.`,
    hint: `For example ${option} 127.0.0.1:2575`,
  });
}

/** `host:port`, or `[::1]:port`. */
export const written = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** An address to call: a server that listens on all interfaces is reached on this computer. */
export function calledAddress(said: string): Address {
  const { host, port } = peerAddress(said, '--to');
  return { host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port };
}

/** The address on which an open channel listens. */
export function channelAddress(channel: Channel | undefined): string {
  if (!channel) throw new AppError('USAGE', { message: 'Where to? Name --channel NAME, or --to HOST:PORT.' });
  const { address, error } = channel.state;
  if (address !== null) return address;
  throw new AppError('CONFIGURATION', {
    message: `The channel is not open. ${error ?? ''}`.trim(),
    hint: 'laudio channel enable opens it.',
  });
}

/** The fields of a message that a simulator shows, by segment and number, unchanged. */
export function readField(message: string, name: string, number: number): string {
  const separator = message[3] ?? '|';
  const line = message.split(/\r\n?|\n/).find((each) => each.startsWith(name + separator)) ?? '';
  return line.split(separator)[name === 'MSH' ? number - 1 : number] ?? '';
}
