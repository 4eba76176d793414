/** Client certificates of calls, also through a proxy, which sees none of them. */
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import { authority } from '../../support/certificates.ts';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each([false, true])('reach the server, through a proxy: %s', async (isThroughProxy) => {
  const ours = await authority();
  const [server, client] = [await ours.sign(), await ours.sign({ names: ['laudio'] })];
  const files = { key: server.pem, cert: server.cert, ca: ours.cert };
  const port = await listening(
    createServer({ ...files, requestCert: true, rejectUnauthorized: true }, (request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    }),
  );
  const tunnels: string[] = [];
  const proxy = await listening(
    createProxy().on('connect', ({ url }, socket) => {
      tunnels.push(url!);
      const through = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      through.on('error', () => socket.destroy()).pipe(socket);
      socket.on('error', () => through.destroy()).pipe(through);
    }),
  );
  const env = isThroughProxy ? { HTTPS_PROXY: `http://127.0.0.1:${proxy}`, NO_PROXY: '<-loopback>' } : {};
  const call = async (tls: object) => {
    const { transport, close } = createHttpCall({ timeout: 5000, env, tls });
    onTestFinished(close);
    const answer = await transport({ method: 'GET', url: `https://localhost:${port}/`, headers: {} });
    return answer.text(100);
  };
  const ca = Buffer.from(ours.cert);
  expect(await call({ ca, cert: Buffer.from(client.cert), key: Buffer.from(client.pem) })).toBe('laudio');
  await expect(call({ ca })).rejects.toMatchObject({ code: 'NETWORK' });
  await expect(call({})).rejects.toThrow('its certificate is signed by nobody known');
  expect(tunnels.length > 0).toBe(isThroughProxy);
});
