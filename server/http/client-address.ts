/** Finds the address of a request's sender, and the network whose addresses share one rate limit. */
import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { textBefore } from '../../src/domain/text-before.ts';

/** Turns an IPv4-mapped IPv6 address, which a server that listens on both gets, into the IPv4 address. */
export const unmapped = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/**
 * The sender's address; for IPv6 the /64 network of its site, since a site chooses its addresses within it freely. A trusted
 * proxy states the address of its client (`trustProxy`); a statement that is not an address is ignored.
 */
export function findSenderAddress({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  const peer = raw.socket.remoteAddress ?? '';
  if (ip !== last.ip || peer !== last.peer) {
    const address = unmapped(isIP(ip) === 0 ? peer : ip);
    last = { ip, peer, address: isIPv6(address) ? toNetwork(address) : address };
  }
  return last.address;
}

/** The sender's address, and the id of the request. */
export const findSender = (request: Pick<FastifyRequest, 'ip' | 'raw' | 'id'>) => ({
  address: findSenderAddress(request),
  request_id: request.id,
});

/** Every commit asks for the address, and requests of one sender mostly follow each other. */
let last = { ip: '', peer: '', address: '' };

/** The first 64 bits, as `2001:db8:0:1::/64`. */
function toNetwork(address: string): string {
  const [before = [], after = []] = textBefore(address, '%')
    .split('::', 2)
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
