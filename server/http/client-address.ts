/** Where a request comes from, and who is limited together. */
import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** An IPv4 address that comes in the form of IPv6, as it does to a server that listens on both, is what it maps. */
export const unmapped = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/**
 * An address; with IPv6 the network of one site, whose addresses are free to choose from. A trusted proxy tells whom it
 * speaks for (`trustProxy`); what it says that is no address is not believed.
 */
export function addressOf({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  const address = unmapped(isIP(ip) === 0 ? (raw.socket.remoteAddress ?? '') : ip);
  return isIPv6(address) ? networkOf(address) : address;
}

/** The first 64 bits, as `2001:db8:0:1::/64`. */
function networkOf(address: string): string {
  const [before = [], after = []] = address
    .split('%', 1)[0]!
    .split('::', 2)
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
