/** Which calls go through the proxies that the environment names. */
import { expect, test } from 'vitest';
import { isProxied, readProxies } from '../../../src/node/http/proxies.ts';

test.each([
  ['', 'http://lab.example:8742', true],
  ['lab.example', 'http://lab.example:8742', false],
  ['lab.example', 'http://pacs.lab.example', false],
  ['lab.example', 'http://otherlab.example', true],
  ['.lab.example', 'http://lab.example', false],
  ['*.lab.example', 'http://lab.example', true],
  ['*.lab.example', 'http://pacs.lab.example', false],
  ['LAB.example.', 'http://lab.EXAMPLE', false],
  ['lab.example:8742', 'http://lab.example:8742', false],
  ['lab.example:8742', 'http://lab.example', true],
  ['lab.example:443', 'https://lab.example', false],
  ['[2001:db8::1]:8742', 'http://[2001:db8::1]:8742', false],
  ['2001:db8::1', 'http://[2001:db8::1]', false],
  ['*', 'https://anywhere.example', false],
  ['one.example, two.example', 'https://two.example', false],
  ['', 'http://127.0.0.1:8742', false],
  ['<-loopback>', 'http://127.0.0.1:8742', true],
  ['<-loopback>,127.0.0.1', 'http://127.0.0.1:8742', false],
])('NO_PROXY=%s: %s goes through it: %s', (exceptions, address, isThrough) => {
  const proxies = readProxies({ HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: exceptions })!;
  expect(isProxied(proxies, new URL(address))).toBe(isThrough);
});
