/** Certificates of channels: the operator hears before they end, everywhere that is looked; renewed files are taken up by themselves. */
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import { authority } from '../../../support/certificates.ts';
import type { Certified } from '../../../support/certificates.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { channels, system } = contract;

/** A server whose clock is that of the certificates, and a listener with files that somebody renews. */
async function listener(first: Certified, more: Record<string, unknown> = {}) {
  const clock = manualClock(Date.now());
  const api = await startApi({ clock }, onTestFinished);
  const folder = await temporaryDirectory();
  const [certificate, key] = [join(folder, 'own.pem'), join(folder, 'own.key')];
  const put = async (certified: Certified, parts: readonly ('cert' | 'key')[] = ['cert', 'key']) => {
    if (parts.includes('cert')) await copyFile(certified.certificate, certificate);
    if (parts.includes('key')) await copyFile(certified.key, key);
  };
  await put(first);
  const settings = { port: 0, tls_certificate: certificate, tls_key: key, ...more };
  const body = { name: 'orders', kind: 'hl7-in', space: 'test_tc_local', settings };
  const { state } = succeeded(await api.call(channels.endpoints.add, { body }), 201);
  expect(state).toMatchObject({ status: 'open', error: null });
  const params = { channel: 'orders' };
  const get = async () => succeeded(await api.call(channels.endpoints.get, { params }));
  return {
    api,
    clock,
    certificate,
    put,
    get,
    works: async () => succeeded(await api.call(channels.endpoints.test, { params })).message,
    days: async () => (await get()).certificates.map(({ setting, days_left }) => `${setting} ${days_left}`),
    metrics: async () =>
      (await api.call(system.endpoints.metrics)).text
        .split('\n')
        .filter((line) => line.startsWith('laudio_channel_certificate_days')),
    /** Serial number of the certificate that a sender sees. */
    async shown(): Promise<string> {
      const port = Number(/\d+$/.exec((await get()).state.address!)![0]);
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
      try {
        await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
        return socket.getPeerCertificate().serialNumber;
      } finally {
        socket.destroy();
      }
    },
  };
}

test('the remaining days are shown by the call, the test and the metric; of several the first of ours, the last of those that sign', async () => {
  const ours = await authority();
  const bundle = join(await temporaryDirectory(), 'bundle.pem');
  // The authority itself ends after 10 days.
  const own = await ours.sign({ until: 90.5 });
  await writeFile(bundle, `${ours.cert}${(await ours.sign({ until: 20.5 })).cert}`);
  const { days, works, metrics, clock } = await listener(own, { tls_client_ca: bundle });
  expect(await days()).toEqual(['tls_certificate 90', 'tls_client_ca 20']);
  expect(await metrics()).toEqual([
    'laudio_channel_certificate_days{kind="hl7-in",setting="tls_certificate"} 90',
    'laudio_channel_certificate_days{kind="hl7-in",setting="tls_client_ca"} 20',
  ]);
  expect(await works()).toMatch(/^It is open: \S+ The certificate of tls_client_ca ends in 20 days: renew its file\.$/);
  clock.advance(91 * 24 * 3600_000);
  expect(await days()).toEqual(['tls_certificate -1', 'tls_client_ca -71']);
  expect(await works()).toContain('The certificate of tls_certificate has ended: renew its file.');
});

test('a renewed file is taken up by itself, once certificate and key belong together', async () => {
  const ours = await authority();
  const { days, put, clock, shown, get } = await listener(await ours.sign({ until: 5.5 }));
  const first = await shown();
  const opened = (await get()).state.since;
  clock.advance(60_000);
  await eventually(async () => expect(await days()).toEqual(['tls_certificate 5']));
  expect((await get()).state.since).toBe(opened);
  const renewed = await ours.sign({ until: 90.5 });
  await put(renewed, ['cert']);
  clock.advance(60_000);
  await eventually(async () =>
    expect((await get()).state).toMatchObject({
      status: 'open',
      error: expect.stringContaining('tls_key is not the private key of the first certificate'),
    }),
  );
  expect(await shown()).toBe(first);
  await put(renewed, ['key']);
  clock.advance(60_000);
  await eventually(async () => expect(await days()).toEqual(['tls_certificate 90']));
  await eventually(async () => expect((await get()).state).toMatchObject({ status: 'open', error: null }));
  expect(await shown()).not.toBe(first);
});

test('a file that is missing for a while is reported in words, and no longer once it is back', async () => {
  const ours = await authority();
  const own = await ours.sign({ until: 5.5 });
  const { certificate, put, clock, get } = await listener(own);
  const opened = (await get()).state.since;
  await rm(certificate);
  clock.advance(60_000);
  await eventually(async () =>
    expect((await get()).state).toMatchObject({ status: 'open', error: 'The file of tls_certificate cannot be read.' }),
  );
  // The certificate is written, and the one that signed it not to its end.
  await writeFile(certificate, `${own.cert}${ours.cert.slice(0, 300)}`);
  clock.advance(60_000);
  await eventually(async () =>
    expect((await get()).state.error).toBe('The file of tls_certificate holds a certificate that cannot be read.'),
  );
  await put(own);
  clock.advance(60_000);
  await eventually(async () => expect((await get()).state).toMatchObject({ status: 'open', error: null }));
  expect((await get()).state.since).toBe(opened);
});

test('the fault of a file stays reported while the channel works, and hides no other problem', async () => {
  const ours = await authority();
  const bundle = join(await temporaryDirectory(), 'bundle.pem');
  await writeFile(bundle, ours.cert);
  const clock = manualClock(Date.now());
  const api = await startApi({ clock }, onTestFinished);
  const certified = await ours.sign();
  let [status, asked] = [200, 0];
  const server = createServer({ cert: certified.cert, key: certified.pem }, (_request, response) => {
    asked += 1;
    response.writeHead(status, { 'content-type': 'application/fhir+json' });
    response.end('{"resourceType":"Bundle","type":"searchset"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const base_url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/fhir`;
  const settings = { base_url, time_zone: 'UTC', interval_seconds: 5, tls_ca: bundle };
  const body = { name: 'ehr', kind: 'fhir-in', space: 'test_tc_local', settings };
  succeeded(await api.call(channels.endpoints.add, { body }), 201);
  const error = async () =>
    succeeded(await api.call(channels.endpoints.get, { params: { channel: 'ehr' } })).state.error;
  const rounds = async () => {
    const before = asked;
    await eventually(() => {
      clock.advance(5000);
      expect(asked).toBeGreaterThan(before + 2);
    });
  };
  await rounds();
  await rm(bundle);
  clock.advance(60_000);
  await eventually(async () => expect(await error()).toBe('The file of tls_ca cannot be read.'));
  await rounds();
  expect(await error()).toBe('The file of tls_ca cannot be read.');
  status = 500;
  await rounds();
  await eventually(async () => expect(await error()).toContain('500'));
  await writeFile(bundle, ours.cert);
  clock.advance(60_000);
  await rounds();
  expect(await error()).toContain('500');
  status = 200;
  await rounds();
  await eventually(async () => expect(await error()).toBeNull());
});

test('a channel without TLS has no certificates, and one that is off shows none', async () => {
  const ours = await authority();
  const { api, get, metrics } = await listener(await ours.sign());
  const body = { name: 'plain', kind: 'hl7-in', space: 'test_tc_local', settings: { port: 0 } };
  expect(succeeded(await api.call(channels.endpoints.add, { body }), 201).certificates).toEqual([]);
  expect((await get()).certificates).toHaveLength(1);
  await api.call(channels.endpoints.change, { params: { channel: 'orders' }, body: { enabled: false } });
  expect((await get()).certificates).toEqual([]);
  expect(await metrics()).toEqual([]);
});
