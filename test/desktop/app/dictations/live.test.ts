/** Words while somebody speaks: from the blocks on the disk to a real service, and back to the page and into the report. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { sampled } from '../../../support/explored.ts';
import * as fc from '../../../support/properties.ts';
import type { LiveWords } from '../../../../desktop/bridge/live.ts';
import { mapToPieces, spokenPieces } from '../../../../desktop/app/dictations/live/stretches.ts';
import { withHand } from '../../../../src/reporting/live/hand-edits.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { records } from '../../../../src/contract/record.ts';
import { lengthOf, slice } from '../../../../src/domain/dictation/timeline.ts';
import type { Segment } from '../../../../src/domain/dictation/timeline.ts';
import { crashed, hastyClock, openDesk, samples, startService, valuesOf } from './open-dictations.ts';
import type { Desk, DeskOptions, Fault } from './open-dictations.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const rate = 16_000;
const hears = {
  isWanted: () => true,
  hasCommands: () => true,
  isHeard: () => true,
  report: async () => ({ template: undefined, macros: [], terms: [] }),
};
const unreachable: Fault = () => Promise.reject(new AppError('NETWORK'));

const textOf = (words: LiveWords | undefined): string => (words?.sections ?? []).map(({ text }) => text).join(' ');
const hasPartial = (words: LiveWords | undefined): boolean =>
  words !== undefined && withHand(words, []).some(({ pieces }) => pieces.some(({ isPartial }) => isPartial));

async function set(options: DeskOptions = {}) {
  const service = await startService();
  /** How each record was asked for. */
  const generated: ('file' | 'words')[] = [];
  service.disturb(({ url, headers }, pass) => {
    const type = String(new Headers(headers as Record<string, string>).get('content-type'));
    if (url.endsWith(records.endpoints.generate.path))
      generated.push(type.startsWith('application/json') ? 'words' : 'file');
    return pass();
  });
  const desk = await openDesk({ clock: hastyClock, client: service.client, live: hears, ...options });
  return { service, desk, generated, item: await service.exam() };
}

/** Begins a dictation at the rate that the service hears, and says so many seconds of it. */
async function begin(desk: Desk, item_id: string, sample_rate = rate): Promise<string> {
  const { id } = await desk.call['dictation.start']({
    item_id,
    sample_rate,
    language: 'en-US',
    template_id: null,
  });
  return id;
}
/** A second for each value. */
async function say(desk: Desk, id: string, ...values: number[]): Promise<void> {
  for (const value of values) await desk.block(id, samples(value, rate));
}

const recordsIn = async (service: Service) => (await service.call(records.endpoints.list, {})).data.items;
/** The service has all sound of so many takes. */
const haveEnded = (service: Service, takes: number) =>
  expect.poll(() => service.asked.filter((each) => each.endsWith('/end')).length).toBe(takes);
const appended = (service: Service): number => service.asked.filter((each) => each.endsWith('/audio')).length;

/** The one record is of exactly the sound that the desk had. */
async function expectRecordOf(service: Service, wav: Buffer) {
  const [record, ...others] = await recordsIn(service);
  expect(others).toEqual([]);
  expect(record?.source).toMatchObject({ kind: 'audio', sha256: createHash('sha256').update(wav).digest('hex') });
  return record!;
}

describe('live words', () => {
  it('arrive during speech, are final after a pause, and become the report without another upload', async () => {
    const { service, desk, item, generated } = await set();
    const id = await begin(desk, item);
    await desk.take(id);
    await say(desk, id, 1, 2, 3);
    await expect.poll(() => hasPartial(desk.words.at(-1))).toBe(true);
    await say(desk, id, 4, 5, 6);
    await desk.call['dictation.pause']({ id });
    await expect.poll(() => textOf(desk.words.at(-1))).toContain('Simulated transcript');
    await expect.poll(() => hasPartial(desk.words.at(-1))).toBe(false);
    const wav = await desk.wav(id);
    await desk.send(id);
    await desk.until(({ state }) => state === 'done');
    const record = await expectRecordOf(service, wav);
    expect(generated).toEqual(['words']);
    for (const section of desk.words.at(-1)!.sections) expect(record.text).toContain(section.text);
    expect(desk.log).toEqual([]);
  });

  it('follow the edits of the audio: overwritten and undone words are in no report', async () => {
    const { service, desk, item, generated } = await set();
    const id = await begin(desk, item);
    await desk.take(id);
    await say(desk, id, 1, 2, 3, 4);
    await desk.take(id, { mode: 'overwrite', at: 1 });
    await say(desk, id, 5);
    await desk.take(id, { mode: 'insert', at: 3 });
    await say(desk, id, 6, 7);
    await desk.take(id);
    await say(desk, id, 8);
    await desk.call['dictation.pause']({ id });
    await desk.call['dictation.undo']({ id });
    await haveEnded(service, 4);
    const wav = await desk.wav(id);
    await desk.send(id);
    await desk.until(({ state }) => state === 'done');
    await expectRecordOf(service, wav);
    expect(generated).toEqual(['words']);
    // The transcription of the take that was taken back.
    await expect.poll(() => service.asked.filter((each) => each.startsWith('DELETE')).length).toBe(1);
  });

  it('of a phrase that is left out are in no report, nor is its sound, whether or not it is still being recorded', async () => {
    const { service, desk, item, generated } = await set();
    const id = await begin(desk, item);
    await desk.take(id);
    await say(desk, id, 1, 2, 3, 4, 5, 6, 7, 8);
    await expect.poll(() => desk.words.at(-1)?.phrases.length).toBeGreaterThan(1);
    const [, first] = desk.words.at(-1)!.phrases;
    const shorter = await desk.call['live.leave_out']({ id, phrase: first!.from });
    expect(shorter.seconds).toBeCloseTo(8 - (first!.end - first!.start), 6);
    await say(desk, id, 9);
    await desk.call['dictation.pause']({ id });
    await haveEnded(service, 1);
    const said = [...new Set(desk.words.map(({ latest }) => latest))].filter((text) => text !== '')[1];
    expect((await desk.call['dictation.list']({})).items[0]!.seconds).toBeCloseTo(shorter.seconds + 1, 6);
    await expect(desk.call['live.leave_out']({ id, phrase: -1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const wav = await desk.wav(id);
    const samplesLeft = valuesOf(wav.subarray(44));
    // Everything else is there, in its order, and stays so after a crash.
    const [from, to] = [first!.start * rate, first!.end * rate].map(Math.round) as [number, number];
    const whole = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((value) => Array.from({ length: rate }, () => value));
    expect(samplesLeft).toEqual([...whole.slice(0, from), ...whole.slice(to)]);
    const again = await openDesk({ clock: hastyClock, directory: await crashed(desk) });
    expect(await again.wav(id)).toEqual(wav);
    await expect.poll(() => hasPartial(desk.words.at(-1))).toBe(false);
    await desk.send(id);
    await desk.until(({ state }) => state === 'done');
    const record = await expectRecordOf(service, wav);
    expect(generated).toEqual(['words']);
    expect(record.text).not.toContain(said);
    for (const section of desk.words.at(-1)!.sections) expect(record.text).toContain(section.text);
  });

  it.each(sampled([44_100, 48_000, 8000], 2))(
    'come from a microphone of %i samples a second, too',
    async (sampleRate) => {
      const { service, desk, item, generated } = await set();
      const id = await begin(desk, item, sampleRate);
      const tone = (seconds: number): Buffer =>
        Buffer.from(Int16Array.from({ length: sampleRate * seconds }, (_, at) => 9000 * Math.sin(at / 20)).buffer);
      await desk.take(id);
      await desk.block(id, tone(1));
      await desk.block(id, tone(1));
      await desk.take(id, { mode: 'overwrite', at: 1.234 });
      await desk.block(id, tone(0.5));
      await desk.call['dictation.pause']({ id });
      await haveEnded(service, 2);
      await desk.send(id);
      await desk.until(({ state }) => state === 'done');
      expect(generated).toEqual(['words']);
      expect(await recordsIn(service)).toMatchObject([{ source: { audio_seconds: 2 } }]);
    },
  );

  it('lose and double nothing where the network is away in mid-dictation and the app dies', async () => {
    const { service, desk, item } = await set();
    const id = await begin(desk, item);
    await desk.take(id);
    await say(desk, id, 1, 2);
    await expect.poll(() => appended(service)).toBeGreaterThan(0);
    service.disturb(unreachable);
    await say(desk, id, 3, 4);
    const copy = await crashed(desk);
    await desk.close();
    service.disturb(undefined);
    const again = await openDesk({ clock: hastyClock, client: service.client, live: hears, directory: copy });
    expect(await again.get(id)).toMatchObject({ state: 'paused', recovered: true, seconds: 4 });
    await again.take(id);
    await say(again, id, 5);
    await again.call['dictation.pause']({ id });
    const wav = await again.wav(id);
    await again.send(id);
    await again.until(({ state }) => state === 'done');
    await expectRecordOf(service, wav);
  });

  it('that the service has no more cost nothing: the sound goes as a file', async () => {
    const { service, desk, item } = await set();
    const id = await begin(desk, item);
    await desk.take(id);
    await say(desk, id, 1, 2);
    await expect.poll(() => appended(service)).toBeGreaterThan(0);
    await desk.call['dictation.pause']({ id });
    await expect.poll(() => hasPartial(desk.words.at(-1))).toBe(false);
    await expect.poll(() => textOf(desk.words.at(-1))).not.toBe('');
    // The answer to the first request is that of another service, which knows no such transcription.
    let refusals = 0;
    service.disturb(async (request, pass) => {
      if (!request.url.endsWith(records.endpoints.generate.path) || refusals++ > 0) return pass();
      throw new AppError('NOT_FOUND');
    });
    const wav = await desk.wav(id);
    await desk.send(id);
    await desk.until(({ state }) => state === 'done');
    await expectRecordOf(service, wav);
    expect(refusals).toBeGreaterThan(1);
  });

  it('are not waited for if unavailable: no live recogniser, a service that never answers, a setting', async () => {
    const deaf = await set({ live: { ...hears, isHeard: () => false } });
    const late: Fault = ({ url }, pass) => (url.includes('/transcriptions') ? new Promise(() => {}) : pass());
    const slow = await set();
    slow.service.disturb(late);
    const off = await set({ live: { ...hears, isWanted: () => false } });
    for (const { service, desk, item } of [deaf, slow, off]) {
      const id = await begin(desk, item);
      await desk.take(id);
      await say(desk, id, 1, 2);
      await desk.call['dictation.pause']({ id });
      const wav = await desk.wav(id);
      await desk.send(id);
      await desk.until(({ state }) => state === 'done');
      await expectRecordOf(service, wav);
    }
    expect(deaf.desk.words.map(({ state }) => state)).toContain('missing');
    expect(off.desk.words).toEqual([]);
    expect(off.service.asked.filter((each) => each.includes('transcriptions'))).toEqual([]);
  });

  describe('of whoever has sound compressed', () => {
    const opus = { uploadFormat: () => 'opus' as const };
    const webm = readFile(new URL('../../../fixtures/audio/speech.webm', import.meta.url));

    it('become the report, and no page has to compress anything', async () => {
      const { service, desk, item, generated } = await set(opus);
      const id = await begin(desk, item);
      await desk.take(id);
      await say(desk, id, 1, 2, 3);
      await desk.call['dictation.pause']({ id });
      const wav = await desk.wav(id);
      await desk.send(id);
      await desk.until(({ state }) => state === 'done');
      await expectRecordOf(service, wav);
      expect(generated).toEqual(['words']);
      expect(desk.told.some(({ compress }) => compress)).toBe(false);
    });

    it('are given up where the network is too slow for them: a page compresses the sound, which goes as a file', async () => {
      const { service, desk, item, generated } = await set(opus);
      const id = await begin(desk, item);
      await desk.take(id);
      await say(desk, id, 1);
      await expect.poll(() => appended(service)).toBeGreaterThan(0);
      service.disturb(({ url }, pass) => {
        if (url.endsWith(records.endpoints.generate.path)) generated.push('file');
        return /transcriptions\/\w+\/audio/.test(url) ? new Promise(() => {}) : pass();
      });
      await say(desk, id, 2, 3);
      await desk.call['dictation.pause']({ id });
      await desk.send(id);
      expect(await desk.until(({ compress }) => compress === true)).toMatchObject({ id, state: 'queued' });
      await desk.call['dictation.encoded']({ id, content_type: 'audio/webm' }, await webm);
      await desk.until(({ state }) => state === 'done');
      const [record] = await recordsIn(service);
      expect(record!.source).toMatchObject({ content_type: 'audio/webm' });
      expect(generated).toEqual(['file']);
    });
  });

  it('are deleted at the service with a dictation that is discarded', async () => {
    const { service, desk, item } = await set();
    const id = await begin(desk, item);
    await desk.take(id);
    await say(desk, id, 1);
    await expect.poll(() => appended(service)).toBeGreaterThan(0);
    await desk.call['dictation.pause']({ id });
    await desk.call['dictation.discard']({ id });
    await expect.poll(() => service.asked.some((each) => each.startsWith('DELETE /api/v1/transcriptions/'))).toBe(true);
  });
});

test('the pieces are exactly the segments, wherever the stretches begin and end', () => {
  const cuts = fc.uniqueArray(fc.nat(200), { maxLength: 8 }).map((all) => all.toSorted((a, b) => a - b));
  const someSegments = fc.array(fc.record({ from: fc.nat(180), length: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      cuts,
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      someSegments,
      (places, isHeard, segments) => {
        const stretches = places.flatMap((from, at) => {
          const to = places[at + 1];
          return to === undefined || !isHeard[at] ? [] : [{ id: `trn_${at}`, from, to }];
        });
        const isCovered = (sample: number): boolean => stretches.some(({ from, to }) => from <= sample && sample < to);
        const heard: Segment[] = segments;
        const samplesOf = heard.flatMap(({ from, length }) => Array.from({ length }, (_, at) => from + at));
        const pieces = mapToPieces(heard, stretches);
        const said = pieces.flatMap((piece) =>
          piece
            ? Array.from({ length: piece.end - piece.start }, (_, at) => piece.stretch.from + piece.start + at)
            : [],
        );
        expect(said).toEqual(samplesOf.filter(isCovered));
        const spoken = spokenPieces(pieces, 10);
        expect(spoken === undefined).toBe(samplesOf.length === 0 || !samplesOf.every(isCovered));
        expect(lengthOf(slice(heard, 0, samplesOf.length))).toBe(samplesOf.length);
      },
    ),
  );
});
