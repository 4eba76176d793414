import { describe, expect, onTestFinished, test } from 'vitest';
import type { App } from '../../../desktop/app/page/app.ts';
import { ipc } from '../../../desktop/bridge/carriers.ts';
import type { IpcDoor } from '../../../desktop/bridge/carriers.ts';
import { createCalls } from '../../../desktop/main/calls.ts';
import type { Frame } from '../../../desktop/main/guards.ts';
import { createPageAnswer } from '../../../desktop/main/page-answer.ts';
import { createIpcBridge } from '../../../desktop/renderer/bridge-ipc.ts';
import { emptyPage, outsider, startWorkplace } from '../../support/app-host.ts';
import { bridgeSuite } from '../../suites/bridge.suite.ts';

const ownFrame: Frame = { origin: ipc.origin, isMain: true };

/** What Electron's IPC does between the preload script and the app: everything that passes is copied. */
function doorTo(app: App, frame: Frame | undefined = ownFrame): IpcDoor {
  const calls = createCalls({ app, log: () => undefined });
  return {
    call: async (...call) => structuredClone(await calls.answer(frame, ...structuredClone(call))),
    onEvent(listener) {
      onTestFinished(app.on(({ name, data }) => listener(name, structuredClone(data))));
    },
  };
}

bridgeSuite('IPC', async () => {
  const { visit, server } = await startWorkplace();
  const app = visit();
  const answer = await createPageAnswer({ page: await emptyPage(), app, log: () => undefined });
  return {
    bridge: createIpcBridge({ laudio: doorTo(app) }),
    ris: await outsider(server),
    async load(address, range) {
      const response = await answer(
        new Request(new URL(address, ipc.origin), range === undefined ? {} : { headers: { range } }),
      );
      return {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        bytes: new Uint8Array(await response.arrayBuffer()),
        range: response.headers.get('content-range'),
      };
    },
  };
});

describe('calls by IPC', () => {
  const echo = (call: App['call']): App => ({ call, on: () => () => undefined, file: async () => undefined });

  test.each<[string, Frame | undefined]>([
    ['a frame in the page', { ...ownFrame, isMain: false }],
    ['another site', { origin: 'https://example.com', isMain: true }],
    ['an opaque origin', { origin: 'null', isMain: true }],
    ['another window, or a frame that is gone', undefined],
  ])('from %s never reach the app', async (_who, frame) => {
    const calls = createCalls({ app: echo(() => expect.unreachable()), log: () => undefined });
    expect(await calls.answer(frame, 'session.state', {})).toMatchObject({ error: { code: 'FORBIDDEN' } });
  });

  test('bring JSON, as over HTTP, and bytes', async () => {
    const seen: unknown[] = [];
    const app = echo(async (...call) => void seen.push(call));
    const calls = createCalls({ app, log: () => undefined });
    await calls.answer(ownFrame, 'a', { kept: 1, lost: undefined, when: new Date(0) });
    await calls.answer(ownFrame, 'a', {}, new Uint8Array([1, 2]).buffer, 'ana');
    expect(seen).toEqual([
      ['a', { kept: 1, when: '1970-01-01T00:00:00.000Z' }, undefined, undefined],
      ['a', {}, new Uint8Array([1, 2]), 'ana'],
    ]);
    expect(Object.keys((seen[0] as [string, object])[1])).toEqual(['kept', 'when']);
  });

  test('of any other shape are refused', async () => {
    const calls = createCalls({ app: echo(() => expect.unreachable()), log: () => undefined });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(await calls.answer(ownFrame)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(await calls.answer(ownFrame, 7, {})).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(await calls.answer(ownFrame, 'a', circle)).toMatchObject({ error: { code: 'VALIDATION_FAILED' } });
    expect(await calls.answer(ownFrame, 'a', {}, undefined, 7)).toMatchObject({ error: { code: 'VALIDATION_FAILED' } });
    expect(await calls.answer(ownFrame, 'a', {}, 'text')).toMatchObject({ error: { code: 'VALIDATION_FAILED' } });
    expect(await calls.answer(ownFrame, 'a', {}, new SharedArrayBuffer(1))).toMatchObject({
      error: { code: 'VALIDATION_FAILED' },
    });
  });

  test('that hit a defect reveal nothing, and the log names the place', async () => {
    const logged: object[] = [];
    const app = echo(() => Promise.reject(new TypeError('Maria Canary')));
    const answer = await createCalls({ app, log: (entry) => void logged.push(entry) }).answer(
      ownFrame,
      'session.state',
      {},
    );
    expect(answer).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(logged).toMatchObject([{ event: 'app_call_failed', name: 'TypeError' }]);
    expect(JSON.stringify([answer, logged])).not.toContain('Canary');
  });

  test('are waited for before the app ends', async () => {
    const saving = Promise.withResolvers<void>();
    const calls = createCalls({ app: echo(() => saving.promise), log: () => undefined });
    const order: string[] = [];
    void calls.answer(ownFrame, 'dictation.block', {}).then(() => order.push('saved'));
    const settled = calls.settled().then(() => order.push('settled'));
    saving.resolve();
    await settled;
    expect(order).toEqual(['saved', 'settled']);
  });

  test('to an app that is gone say so', async () => {
    const bridge = createIpcBridge({
      laudio: { call: () => Promise.reject(new Error('gone')), onEvent: () => undefined },
    });
    await expect(bridge.call('session.state', {})).rejects.toMatchObject({ code: 'NETWORK' });
  });
});
