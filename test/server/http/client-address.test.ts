/** Who is limited together. */
import { expect, test } from 'vitest';
import { findSenderAddress } from '../../../server/http/client-address.ts';

const from = (ip: string, remoteAddress = '192.0.2.9') =>
  findSenderAddress({ ip, raw: { socket: { remoteAddress } } as never });

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:0db8:0001::1', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (ip, address) => {
  expect(from(ip)).toBe(address);
});

test('an invalid address from a proxy counts as the proxy', () => {
  for (const told of ['', 'unknown', '_hidden', '192.0.2.1:4711', '<script>']) expect(from(told)).toBe('192.0.2.9');
  expect(from('unknown', '::ffff:10.0.0.1')).toBe('10.0.0.1');
});
