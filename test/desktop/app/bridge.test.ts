import { buffer } from 'node:stream/consumers';
import { AppError } from '../../../src/contract/errors.ts';
import type { App } from '../../../desktop/app/page/app.ts';
import { bridgeTo, outsider, startWorkplace } from '../../support/app-host.ts';
import { bridgeSuite } from '../../suites/bridge.suite.ts';

bridgeSuite('nothing in between', async () => {
  const { visit, server } = await startWorkplace();
  const app = visit();
  return { bridge: bridgeTo(app), ris: await outsider(server), load: (address, range) => load(app, address, range) };
});

async function load(app: App, address: string, header?: string) {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(header ?? '') ?? [];
  const range = start === undefined ? undefined : { start: Number(start), end: Number(end) };
  try {
    const file = await app.file(address, range);
    const bytes = file ? new Uint8Array(await buffer(file.stream)) : new Uint8Array();
    return {
      status: file ? (range ? 206 : 200) : 404,
      type: file?.contentType ?? '',
      bytes,
      range: range ? `bytes ${range.start}-${range.end}/${file?.size}` : null,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: error.status ?? 502, type: '', bytes: new Uint8Array(), range: null };
  }
}
