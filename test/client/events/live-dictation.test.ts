/** Speaking to a live transcription of a whole server, over a network that breaks. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { TranscriptionEvent } from '../../../src/contract/transcription.ts';
import { beginLiveDictation } from '../../../src/client/events/live-dictation.ts';
import { startApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { movingClock } from '../../support/moving-clock.ts';

const second = 32_000;

/** A recording that goes on, and a client whose network may break before or after the server has done its work. */
function speaker(api: Api, breaks: (path: string, when: 'before' | 'after') => boolean = () => false) {
  const transport: Transport = async (request) => {
    const { pathname } = new URL(request.url);
    if (breaks(pathname, 'before')) throw new AppError('NETWORK');
    const answer = await api.server.transport(request);
    if (breaks(pathname, 'after')) throw new AppError('NETWORK');
    return answer;
  };
  const moving = movingClock();
  const schedule: typeof moving.schedule = (at, task) =>
    at - moving.now() < 30_000 ? moving.schedule(at, task) : () => {};
  // It waits for no silence of a connection: the clock would be there at once.
  const clock = { ...moving, schedule };
  const client = createClient({
    transport,
    server: 'http://127.0.0.1',
    clock,
    random: () => 0,
    uuid: () => crypto.randomUUID(),
    token: async () => api.token,
    retry: { limit: 0 },
  });
  let recorded = Buffer.alloc(0);
  const events: TranscriptionEvent[] = [];
  const refusals: string[] = [];
  const sound = {
    get size() {
      return recorded.length;
    },
    read: async (from: number, to: number) => recorded.subarray(from, to),
  };
  return {
    events,
    refusals,
    client,
    speak: (seconds: number) => void (recorded = Buffer.concat([recorded, Buffer.alloc(seconds * second, 1)])),
    begin: () =>
      beginLiveDictation(
        {
          transcriptions: client.transcriptions,
          clock,
          random: () => 0,
          sound,
          onEvent: (event) => void events.push(event),
          onRefused: ({ code }) => void refusals.push(code),
        },
        { language: 'en-US' },
      ),
  };
}

/** Turns pass fast, and the threads that decode the sound wait for the processor like others. */
const until = (isDone: () => boolean): Promise<void> => expect.poll(isDone, { interval: 5 }).toBe(true);
const textOf = (events: readonly TranscriptionEvent[]): string =>
  events.flatMap((event) => (event.type === 'final' ? [event.phrase.text] : [])).join(' ');

test('brings the words as they come, and ends when all are final', async () => {
  const api = await startApi({}, onTestFinished);
  const { speak, begin, events, client } = speaker(api);
  const dictation = await begin();
  speak(2);
  dictation.more();
  await until(() => events.some(({ type }) => type === 'partial'));
  speak(18);
  await dictation.end();
  expect(dictation.stored).toBe(20 * second);
  await until(() => events.at(-1)?.type === 'ended');
  const { data } = await client.records.generate({ body: { transcription_id: dictation.id } });
  expect(data).toMatchObject({ transcript: textOf(events), source: { audio_seconds: 20 } });
  await dictation.close();
});

test('loses and doubles nothing where every other request or its answer is lost', async () => {
  const api = await startApi({}, onTestFinished);
  let calls = 0;
  const { speak, begin, events, client } = speaker(
    api,
    (path, when) => path.endsWith('/audio') && (when === 'before' ? ++calls % 3 === 0 : calls % 3 === 1),
  );
  const dictation = await begin();
  for (let at = 0; at < 10; at++) {
    speak(2);
    dictation.more();
    await setImmediate();
  }
  await dictation.end();
  await until(() => events.at(-1)?.type === 'ended');
  const { data } = await client.transcriptions.get({ params: { id: dictation.id } });
  expect(data).toMatchObject({ status: 'ended', offset: 20 * second });
  expect(textOf(events)).toBe(data.phrases.map(({ text }) => text).join(' '));
  await dictation.close();
});

test('says once that the service knows the transcription no more', async () => {
  const api = await startApi({}, onTestFinished);
  const { speak, begin, refusals, client } = speaker(api);
  const dictation = await begin();
  await client.transcriptions.delete({ params: { id: dictation.id } });
  speak(1);
  await expect(dictation.end()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(refusals).toEqual(['NOT_FOUND']);
  await dictation.close();
});
