/** RFC 6749 3.1.2, RFC 8252 7 and 8.4, RFC 9700 2.1. */
import { expect, test } from 'vitest';
import { matchesRedirectUri, redirectUriProblem } from '../../src/domain/redirect-uri.ts';

const loopback = 'http://127.0.0.1/callback';

test.each([
  [loopback, loopback, true],
  [loopback, 'http://127.0.0.1:8080/callback', true],
  [loopback, 'http://127.0.0.1:1/callback', true],
  [loopback, 'http://127.0.0.1:65535/callback', true],
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:4000/callback', true],
  ['http://[::1]/callback', 'http://[::1]:50000/callback', true],
  ['http://127.0.0.1', 'http://127.0.0.1:50000', true],
  ['http://127.0.0.1/cb?a=1', 'http://127.0.0.1:9/cb?a=1', true],
  ['https://ris.example/cb', 'https://ris.example/cb', true],
  ['com.example.app:/cb', 'com.example.app:/cb', true],
  [loopback, 'http://127.0.0.1:65536/callback', false],
  [loopback, 'http://127.0.0.1:0/callback', false],
  [loopback, 'http://127.0.0.1:/callback', false],
  [loopback, 'http://127.0.0.1:08080/callback', false],
  [loopback, 'http://127.0.0.1:8080/callback/', false],
  [loopback, 'http://127.0.0.1:8080/callback/..', false],
  [loopback, 'http://127.0.0.1:8080/x/../callback', false],
  [loopback, 'http://127.0.0.1:8080/Callback', false],
  [loopback, 'http://127.0.0.1:8080/callback?extra=1', false],
  [loopback, 'http://127.0.0.1:8080/callback#', false],
  [loopback, 'http://127.0.0.1:8080/callback#fragment', false],
  [loopback, 'http://user@127.0.0.1/callback', false],
  [loopback, 'http://127.0.0.1:8080@evil.test/callback', false],
  [loopback, 'http://127.0.0.1.evil.test/callback', false],
  [loopback, 'http://localhost/callback', false],
  [loopback, 'http://[::1]/callback', false],
  [loopback, 'http://127.1/callback', false],
  [loopback, 'http://2130706433/callback', false],
  [loopback, 'https://127.0.0.1/callback', false],
  [loopback, 'HTTP://127.0.0.1/callback', false],
  [loopback, 'http://127.0.0.1\\@evil.test/callback', false],
  ['https://ris.example/cb', 'https://ris.example:8443/cb', false],
  ['https://ris.example/cb', 'https://ris.example/cb?x=1', false],
  ['https://ris.example/cb', 'https://RIS.example/cb', false],
  ['http://localhost:3000/cb', 'http://localhost:4000/cb', false],
])('%s registered, %s asked: %s', (registered, asked, expected) => {
  expect(matchesRedirectUri(registered, asked)).toBe(expected);
});

test.each([
  [loopback, true],
  ['http://[::1]:8080/cb', true],
  ['http://localhost:3000/cb?tenant=1', true],
  ['https://ris.example/oauth/callback', true],
  ['https://ris.example', true],
  ['https://ris.example:8443/cb', true],
  ['https://ris.example;frame-src/cb', false],
  ['https://ris.example:x/cb', false],
  ['com.example.app:/oauth', true],
  ['com.example.app://oauth', true],
  ['http://ris.example/cb', false],
  ['http://127.0.0.1.evil.test/cb', false],
  ['https://user:secret@ris.example/cb', false],
  ['https://ris.example/cb#part', false],
  ['https://ris.example/a/../cb', false],
  ['https://ris.example/a/%2E%2e/cb', false],
  ['https://ris.example/a b', false],
  ['https://', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['file:///etc/passwd', false],
  ['myapp:/cb', false],
  ['/cb', false],
  ['', false],
])('registering %s is allowed: %s', (uri, allowed) => {
  expect(redirectUriProblem(uri) === undefined).toBe(allowed);
});
