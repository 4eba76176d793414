/** The app where several processes share a server: a page cannot tell, and loses nothing when one of them goes. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSessions } from '../../../desktop/app/device/sessions.ts';
import type { SharedSessions } from '../../../server/index.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { outsider, sendExam } from '../../support/app-host.ts';
import { startBalancedApp } from '../../support/balanced-app.ts';
import { backupOf, restoreTo } from '../../support/maintenance.ts';
import { eventually } from '../../support/eventually.ts';
import { bridgeSuite } from '../../suites/bridge.suite.ts';

bridgeSuite(
  'HTTP to several processes',
  async () => {
    const { browse, servers } = await startBalancedApp();
    const browser = browse();
    return {
      bridge: browser.bridge,
      ris: await outsider(servers[0].server),
      async load(address, range) {
        const response = await browser.fetch(address, range === undefined ? {} : { headers: { range } });
        return {
          status: response.status,
          type: response.headers.get('content-type') ?? '',
          bytes: new Uint8Array(await response.arrayBuffer()),
          range: response.headers.get('content-range'),
        };
      },
    };
  },
  { needsFirstUser: false },
);

const rate = 16_000;

test('typed words and sound are at another process once theirs has gone, and the login is as it was', async () => {
  const app = await startBalancedApp();
  const { bridge } = app.browse();
  const id = await sendExam(await outsider(app.servers[0].server));
  await bridge.call('session.start', { place: 'test' });
  await bridge.call('typed.keep', { kind: 'text', subject: id, text: 'Fígado normal.' });
  const dictation = await bridge.call('dictation.start', {
    item_id: id,
    sample_rate: rate,
    language: 'pt-BR',
    template_id: null,
  });
  const take = randomUUID();
  await bridge.call('dictation.take', { id: dictation.id, take, mode: 'append', at: null });
  for (const from of [0, 1600, 3200]) {
    const sound = new Uint8Array(3200).fill(from % 251).buffer;
    expect(await bridge.call('dictation.block', { id: dictation.id, take, from }, sound)).toMatchObject({
      stored: from + 1600,
    });
  }
  const { desk } = await bridge.call('session.state', {});
  const { member, others } = app.holderOf(desk!);
  app.reach(...others);
  await app.hub.lose(member);

  await eventually(async () => expect(await bridge.call('session.state', {})).toMatchObject({ phase: 'ready', desk }));
  expect((await bridge.call('typed.list', {})).items).toMatchObject([{ text: 'Fígado normal.' }]);
  // What the page sends again is there already; the rest follows.
  const resumed = await bridge.call('dictation.take', { id: dictation.id, take, mode: 'append', at: null });
  expect(resumed.stored).toBe(4800);
  expect(
    await bridge.call('dictation.block', { id: dictation.id, take, from: 4800 }, new ArrayBuffer(3200)),
  ).toMatchObject({ stored: 6400 });
  await expect(bridge.call('dictation.list', {})).resolves.toMatchObject({
    items: [{ id: dictation.id, seconds: 0.4 }],
  });
});

test('a session that the store cannot give now ends no process', async () => {
  let isAway = false;
  const kept = {
    get: async () => {
      if (isAway) throw new AppError('STORAGE_UNAVAILABLE');
      return { desk: 'ana', locked: false };
    },
    watch: () => () => undefined,
  } as unknown as SharedSessions;
  const sessions = createSessions({ kept, clock: systemClock, desks: {} as never, local: {} as never, places: [] });
  sessions.follow('page', () => undefined);
  await sessions.get('page');
  isAway = true;
  sessions.emitState('ana');
  // An unhandled rejection fails the run.
  await new Promise(setImmediate);
});

test('a restored backup brings the words that were typed then', async () => {
  const app = await startBalancedApp();
  const { bridge } = app.browse();
  const subject = await sendExam(await outsider(app.servers[0].server));
  await bridge.call('session.start', { place: 'test' });
  const keep = (text: string) => bridge.call('typed.keep', { kind: 'text', subject, text });
  await keep('before');
  const bytes = await backupOf(app.servers[0]);
  await keep('after');
  const { desk } = await bridge.call('session.state', {});
  // Over PostgreSQL the others hear of it; here only the process that restores does.
  expect((await restoreTo(app.holderOf(desk!).api, bytes)).status).toBe(200);
  await eventually(async () =>
    expect((await bridge.call('typed.list', {})).items).toMatchObject([{ subject, text: 'before' }]),
  );
  await keep('again');
  expect((await bridge.call('typed.list', {})).items).toMatchObject([{ text: 'again' }]);
});
