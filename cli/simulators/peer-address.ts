/** Where other systems are: `2575`, `host:2575`, `[::1]:2575`; and the fields of their messages. */
import { AppError } from '../../src/contract/errors.ts';

export function peerAddress(said: string, option: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(said.trim()) ?? [];
  if (port !== undefined && Number(port) <= 65_535)
    return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
  throw new AppError('USAGE', {
    message: `${option} takes a port, or a host and a port.`,
    hint: `For example ${option} 127.0.0.1:2575`,
  });
}

/** The fields of a message that a simulator shows: by segment and number, as they stand. */
export function fieldOf(message: string, name: string, number: number): string {
  const separator = message[3] ?? '|';
  const line = message.split(/\r\n?|\n/).find((each) => each.startsWith(name + separator)) ?? '';
  return line.split(separator)[name === 'MSH' ? number - 1 : number] ?? '';
}
