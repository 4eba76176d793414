/** DICOM over TLS (PS3.15 B): both sides of ours, and dcmtk at either end; and who does not come in, and why. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { provide } from '../../../src/protocols/dimse/provide.ts';
import { echo } from '../../../src/protocols/dimse/request.ts';
import type { CallingTls } from '../../../src/node/tls/connect.ts';
import { authority } from '../../support/certificates.ts';
import type { Authority, Certified } from '../../support/certificates.ts';
import { startStorescp, tlsOptions } from '../../support/dicom-peers.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const shown = ({ cert, pem }: Certified) => ({ cert: Buffer.from(cert), key: Buffer.from(pem) });
const trust = ({ cert }: Certified) => ({ ca: Buffer.from(cert) });

async function provider(tls?: { cert: Buffer; key: Buffer; ca?: Buffer }) {
  const failures: string[] = [];
  const providing = await provide({
    host: '127.0.0.1',
    port: 0,
    title: 'LAUDIO',
    callers: [],
    services: [],
    maxAssociations: 10,
    silentMs: 20_000,
    tls,
    answer: async () => ({ status: 0 }),
    onFailure: ({ message }, address) => void failures.push(`${address}: ${message}`),
  });
  onTestFinished(() => providing.close());
  return { failures, called: { host: '127.0.0.1', port: providing.port } };
}

const call = (called: { host: string; port: number }, tls?: CallingTls, title = 'LAUDIO') =>
  echo({ ...called, calling: 'CT1', called: title, silentMs: 20_000, tls }, never);

test('certificates of both sides are shown and checked, and a refused peer learns why', async () => {
  const ours = await authority();
  const theirs = await authority('Another authority');
  const [server, client] = [await ours.sign(), await ours.sign({ names: ['ct1.hospital.example'] })];
  const { called, failures } = await provider({ ...shown(server), ...trust(ours) });
  const good = { ...trust(ours), ...shown(client) };
  // Whoever only looks whether the port is open says nothing, and is told of to nobody.
  const probe = connect(called.port, called.host, () => probe.destroy());
  await once(probe, 'close');
  await call(called, good);
  await call({ ...called, host: 'localhost' }, good);
  expect(failures).toEqual([]);
  const heard = async (why: string) => {
    await expect.poll(() => failures.at(-1)).toContain(`127.0.0.1: No safe connection came about: ${why}`);
    failures.length = 0;
  };
  await expect(call(called, trust(ours))).rejects.toThrow('it wants to see our certificate. Set tls_certificate');
  await heard('it shows no certificate');
  await expect(call(called, { ...good, ...shown(await theirs.sign()) })).rejects.toMatchObject({ code: 'NETWORK' });
  await heard('its certificate is signed by nobody known. Have tls_client_ca');
  await expect(call(called, { ...good, ...shown(await ours.sign({ until: -0.5 })) })).rejects.toMatchObject({
    code: 'NETWORK',
  });
  await heard('its certificate has expired');
  await expect(call(called)).rejects.toThrow('The other side');
  await heard('it speaks no TLS there');
  await expect(call(called, { ...good, ...trust(theirs) })).rejects.toThrow('signed by nobody known. Set tls_ca');
  await expect(call(called, { ...good, serverName: 'ris.hospital.example' })).rejects.toThrow('for another name');
  // Another one comes in as before.
  await call(called, good);
});

test('a server’s certificate may have a given name, and not be too old or too new', async () => {
  const ours = await authority();
  const named = await provider(shown(await ours.sign({ names: ['ris.hospital.example'] })));
  await expect(call(named.called, trust(ours))).rejects.toThrow('for another name');
  await call(named.called, { ...trust(ours), serverName: 'ris.hospital.example' });
  const old = await provider(shown(await ours.sign({ until: -0.5 })));
  await expect(call(old.called, trust(ours))).rejects.toThrow('its certificate has expired. Have it renewed');
  const early = await provider(shown(await ours.sign({ from: 1 })));
  await expect(call(early.called, trust(ours))).rejects.toThrow('not valid yet');
});

test('a side without TLS is distinguished from one that does not answer', async () => {
  const ours = await authority();
  const plain = await provider();
  await expect(call(plain.called, trust(ours))).rejects.toThrow('Does it speak TLS there?');
  await expect.poll(() => plain.failures).toEqual(['127.0.0.1: The other side speaks TLS, and we do not.']);
  // Says nothing, as a system that waits for the rest of what it takes for a length.
  const silent = createServer((socket) => void socket.on('error', () => socket.destroy()).resume());
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const asked = { host: '127.0.0.1', port, calling: 'A', called: 'B', silentMs: 100 };
  await expect(echo({ ...asked, tls: trust(ours) }, never)).rejects.toThrow('does not answer by TLS');
});

test('dcmtk’s echo comes in by its certificate', async () => {
  const ours: Authority = await authority();
  const { called, failures } = await provider({ ...shown(await ours.sign()), ...trust(ours) });
  const ask = (...options: string[]) =>
    run('echoscu', [...options, '-aec', 'LAUDIO', '-aet', 'CT1', called.host, String(called.port)]);
  await ask(...tlsOptions({ authority: ours, own: await ours.sign() }));
  await expect(ask('+tla', '+cf', ours.certificate)).rejects.toThrow();
  await expect.poll(() => failures.join()).toContain('it shows no certificate');
  await expect(ask()).rejects.toThrow();
  await expect.poll(() => failures.join()).toContain('it speaks no TLS');
});

test('dcmtk’s archive is called by a certificate, and by nothing else', async () => {
  const ours = await authority();
  const own = await ours.sign();
  const peer = await startStorescp({ authority: ours, own });
  const good = { ...trust(ours), ...shown(own) };
  await call(peer, good, peer.title);
  await expect(call(peer, trust(ours), peer.title)).rejects.toThrow('it wants to see our certificate');
  const stranger = await (await authority('Another authority')).sign();
  await expect(call(peer, { ...good, ...shown(stranger) }, peer.title)).rejects.toThrow(
    'does not take our certificate',
  );
  await expect(call(peer, undefined, peer.title)).rejects.toMatchObject({
    hint: expect.stringContaining('Does it want TLS'),
  });
});
