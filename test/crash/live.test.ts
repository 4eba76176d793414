/** A server that hears live, with the model of the tones, is killed while somebody speaks, and again after that. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { liveBytesPerSecond } from '../../src/contract/transcription.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import { createCli } from '../support/cli.ts';
import { personToken } from '../support/person-token.ts';
import { organs, pcmOf, tones } from '../support/sound.ts';
import { installToneModel } from '../support/tone-model.ts';

const cli = await createCli();
afterAll(() => cli.close());
const http = createHttpCall({ timeout: 60_000 });
afterAll(() => http.close());

const words = 'coração pulmão fígado rim';
const sentence = pcmOf(tones([...organs, null, null, null]));
const sentences = 3;
const sound = Buffer.concat(Array.from({ length: sentences }, () => sentence));
/** Bytes of a request: 100 ms. */
const step = liveBytesPerSecond / 10;

test('sound that was acknowledged and words that were final are there afterwards, once', async () => {
  const models = join(cli.directory, 'models');
  await installToneModel(models, { id: 'tone', live: true });
  const start = async () => {
    const { ready, server } = await cli.serve('--recogniser', `local:tone models=${models}`);
    return { ready, kill: () => server.end('SIGKILL') };
  };
  let { ready, kill } = await start();
  const token = await personToken(ready);
  const connect = () =>
    createClient({
      transport: http.transport,
      server: ready.url,
      clock: systemClock,
      random: () => 0,
      uuid: () => crypto.randomUUID(),
      token: async () => token,
    });
  let { transcriptions, records } = connect();
  const { id } = (await transcriptions.create({ body: { language: 'pt-BR' } })).data;
  const byId = { params: { id } };
  const state = async () => (await transcriptions.get(byId)).data;
  let offset = 0;
  const speak = async (to: number): Promise<void> => {
    while (offset < to) {
      const body = sound.subarray(offset, Math.min(to, offset + step));
      ({ offset } = (await transcriptions.append({ ...byId, query: { offset }, body })).data);
    }
  };

  // In the middle of a word of the second sentence, and in the pause behind that sentence.
  for (const [place, finals] of [
    [1.3, 1],
    [1.95, 1],
  ] as const) {
    await speak(Math.round((place * sentence.length) / step) * step);
    await expect.poll(async () => (await state()).phrases.length).toBeGreaterThanOrEqual(finals);
    const { phrases: before } = await state();
    // One more request is under way, of which nobody knows what became of it.
    const body = sound.subarray(offset, offset + step);
    const last = transcriptions.append({ ...byId, query: { offset }, body }, { retries: 0 }).catch(() => undefined);
    await kill();
    const acknowledged = (await last)?.data.offset ?? offset;
    ({ ready, kill } = await start());
    ({ transcriptions, records } = connect());
    const after = await state();
    expect([acknowledged, offset + body.length]).toContain(after.offset);
    expect(after.phrases.slice(0, before.length)).toEqual(before);
    offset = after.offset;
  }
  await speak(sound.length);
  const made = await records.generate({ body: { transcription_id: id, language: 'pt-BR' } });
  if (made.status !== 201) throw new Error(`generate answered ${made.status}`);
  expect(made.data.transcript).toBe(Array.from({ length: sentences }, () => words).join(' '));
  expect(made.data.source).toMatchObject({ audio_seconds: sound.length / liveBytesPerSecond });
  const kept = await records.audio({ params: { id: made.data.id } });
  const chunks: Uint8Array[] = [];
  for await (const chunk of kept.body) chunks.push(chunk);
  expect(Buffer.concat(chunks).subarray(44).equals(sound)).toBe(true);
  await kill();
});
