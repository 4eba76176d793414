/** Ranges of IP addresses, as an operator writes them: `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`. */
import { BlockList, isIP } from 'node:net';
import { AppError } from '../../src/contract/errors.ts';

/** Whether an address is in any of the ranges. */
export type Ranges = (address: string) => boolean;

/**
 * Reads the ranges. AppError CONFIGURATION where an entry is not an address or range. Each family has its own list: a common
 * BlockList would find `::ffff:127.0.0.1` in a range of IPv4, and a mapped address must never count as its IPv4 address.
 */
export function parseRanges(subnets: readonly string[]): Ranges {
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const subnet of subnets) {
    const [address = '', prefix, ...rest] = subnet.split('/');
    const family = isIP(address) as 0 | 4 | 6;
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (family === 0 || rest.length > 0 || bits < 0 || bits > (family === 4 ? 32 : 128)) {
      throw new AppError('CONFIGURATION', {
        message: `\`${subnet}\` is not an IP address or range such as 10.0.0.0/8.`,
      });
    }
    lists[family].addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => {
    const family = isIP(address) as 0 | 4 | 6;
    return family !== 0 && lists[family].check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}
