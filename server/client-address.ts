/** Who is limited together: an address, or with IPv6 the network of one site, whose addresses are free to choose from. */
import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** A proxy that is trusted tells whom it speaks for (`trustProxy`); what it says that is no address is not believed. */
export function addressOf({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  const told = isIPv4(ip) || isIPv6(ip) ? ip : (raw.socket.remoteAddress ?? '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(told)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(told) ? networkOf(told) : told;
}

/** The first 64 bits, as `2001:db8:0:1::/64`. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
