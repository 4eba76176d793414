/** The options of a server: defaults, options that follow from others, refusals. */
import { expect, test } from 'vitest';
import { readOptions } from '../../server/options.ts';

const version = '1.0.0';

test('an option that is missing or undefined has its default', () => {
  const { memory, ...chosen } = readOptions({ version, memory: undefined });
  expect(memory).toBeGreaterThan(0);
  expect(chosen).toMatchObject({
    store: { use: 'lowdb' },
    writer: { use: 'rules' },
    rateLimit: 100,
    testClient: true,
    testReal: false,
    isShared: false,
    accessTokenSeconds: 3600,
    retention: {},
    allowedHosts: [],
  });
});

test('an option that is given stays, 0 and false included', () => {
  const given = { version, rateLimit: 0, testClient: false, timeZone: 'America/Recife', accessTokenTtl: 30_000 };
  expect(readOptions(given)).toMatchObject({ ...given, accessTokenSeconds: 30 });
});

test('a server that others can reach has the test client only by its own option', () => {
  const host = '0.0.0.0';
  expect(readOptions({ version, host })).toMatchObject({ isShared: true, testClient: false });
  expect(readOptions({ version, host, testClient: true })).toMatchObject({ testClient: true });
  expect(readOptions({ version, publicUrl: 'https://laudio.example.com' })).toMatchObject({ testClient: false });
});

test.each([
  { host: '0.0.0.0', seed: 'demo' },
  { accessTokenTtl: 1500 },
  { accessTokenTtl: 0 },
  { accessTokenTtl: 25 * 3600 * 1000 },
])('%o is refused', (options) => {
  expect(() => readOptions({ version, ...options })).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
});
