/** Every format of sound becomes samples, in a process of its own that a bad file cannot take further than itself. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AudioType } from '../../../../src/contract/document.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { launchNode } from '../../../../server/runtime/processes/node-process.ts';
import type { LaunchProcess, OwnProcess } from '../../../../server/runtime/processes/own-process.ts';
import { decodeSound } from '../../../../server/speech/sound/decode.ts';
import { formats } from '../../../../server/speech/sound/formats/formats.ts';
import { toMono } from '../../../../server/speech/sound/mono.ts';
import { chunk, encodings, organs, pitchOf, tones, toneSeconds, wavOf } from '../../../support/sound.ts';
import type { EncodingName } from '../../../support/sound.ts';
import { wav } from '../../../support/audio.ts';
import { launchWavDecoder } from '../../../support/wav-decoder.ts';

const rate = 16_000;
const never = new AbortController().signal;
const clock = manualClock(0);
const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../fixtures/audio/${name}`, import.meta.url));

/** Decodes in a process of its own, as the server does. */
const decoded = (type: AudioType, bytes: Uint8Array): Promise<Float32Array> =>
  joined(decodeSound({ type, read: async () => Readable.from([bytes]) }, { launch: launchNode, clock }, never));

/** Decodes in this process, in pieces of some bytes. */
async function decodedHere(type: AudioType, bytes: Uint8Array, onCut = (): void => {}): Promise<Float32Array> {
  const decode = await formats[type]();
  const read = async function* () {
    for (let at = 0; at < bytes.length; at += 9999) yield new Uint8Array(bytes.subarray(at, at + 9999));
  };
  return joined(toMono(decode(read, onCut)));
}

async function joined(sounding: AsyncIterable<Float32Array>): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  for await (const piece of sounding) pieces.push(piece);
  const sound = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    sound.set(piece, at);
    at += piece.length;
  }
  return sound;
}

const refusal = (type: AudioType, bytes: Uint8Array, decode = decodedHere): Promise<unknown> =>
  decode(type, bytes).then(
    (sound) => `${sound.length} samples`,
    (error: unknown) => error,
  );

/** Pitch and strength of the middle of each tone. */
const heardIn = (sound: Float32Array): { pitch: number; strength: number }[] =>
  Array.from({ length: Math.round(sound.length / rate / toneSeconds) }, (_, place) => {
    const middle = sound.subarray((place + 0.25) * toneSeconds * rate, (place + 0.75) * toneSeconds * rate);
    const crossings = middle.filter((sample, i) => i > 0 && sample < 0 !== middle[i - 1]! < 0).length;
    const energy = middle.reduce((sum, sample) => sum + sample ** 2, 0);
    return { pitch: crossings / 2 / (middle.length / rate), strength: Math.sqrt((2 * energy) / middle.length) };
  });

function expectTones(sound: Float32Array, numbers: readonly number[], amplitude = 0.5): void {
  const heard = heardIn(sound);
  expect(heard).toHaveLength(numbers.length);
  for (const [place, tone] of numbers.entries()) {
    expect(Math.abs(heard[place]!.pitch - pitchOf(tone)), `tone ${tone}`).toBeLessThan(10);
    expect(heard[place]!.strength / amplitude, `tone ${tone}`).toBeGreaterThan(0.65);
    expect(heard[place]!.strength / amplitude, `tone ${tone}`).toBeLessThan(1.2);
  }
}

describe('a file of every format', () => {
  const files: readonly [string, AudioType][] = [
    ['tones.webm', 'audio/webm'],
    ['tones.opus.ogg', 'audio/ogg'],
    ['tones.vorbis.ogg', 'audio/ogg'],
    ['tones.flac.ogg', 'audio/ogg'],
    ['tones.stereo.mp3', 'audio/mpeg'],
    ['tones.m4a', 'audio/mp4'],
    ['tones.index-last.m4a', 'audio/mp4'],
    ['tones.fragments.m4a', 'audio/mp4'],
    ['tones.opus.mp4', 'audio/mp4'],
    ['tones.flac', 'audio/flac'],
  ];
  test.each(files)(
    '%s becomes its tones, at their times; cut off, it ends there and is known to, or says what is wrong',
    async (name, type) => {
      const bytes = await fixture(name);
      let cuts = 0;
      const note = (): void => void (cuts += 1);
      expectTones(await decodedHere(type, bytes, note), organs);
      expect(cuts).toBe(0);
      const cut = await decodedHere(type, bytes.subarray(0, bytes.length * 0.9), note).catch((error: unknown) => error);
      if (cut instanceof Float32Array) {
        expectTones(cut.subarray(0, 3 * toneSeconds * rate), [0, 1, 2]);
        expect(cuts).toBe(1);
      } else
        expect(cut).toMatchObject({
          code: 'VALIDATION_FAILED',
          message: expect.stringContaining('its index is missing'),
        });
      expect(cut instanceof Float32Array).toBe(!['tones.index-last.m4a', 'tones.opus.mp4'].includes(name));
    },
  );

  // One for each way in which a decoder is loaded: packages of two kinds, and the module built here.
  test.each(files.filter(([name]) => ['tones.webm', 'tones.stereo.mp3', 'tones.flac'].includes(name)))(
    '%s becomes its tones in the process of the decoder, too',
    async (name, type) => {
      expectTones(await decoded(type, await fixture(name)), organs);
    },
  );

  test.each<[string, AudioType, number]>([
    ['tones.m4a', 'audio/mp4', 0],
    ['tones.vorbis.ogg', 'audio/ogg', 0xff],
    ['tones.flac', 'audio/flac', 0],
  ])('%s with damaged packets is heard without them, and is known to', async (name, type, byte) => {
    const bytes = Uint8Array.from(await fixture(name));
    bytes.fill(byte, bytes.length * 0.55, bytes.length * 0.57);
    let cuts = 0;
    const sound = await decodedHere(type, bytes, () => (cuts += 1));
    expect(cuts).toBe(1);
    expect(sound.length).toBeLessThan(organs.length * toneSeconds * rate + rate / 10);
    expectTones(sound.subarray(0, 2 * toneSeconds * rate), organs.slice(0, 2));
  });

  test('of a codec that nobody decodes here is refused with what to do', async () => {
    expect(await refusal('audio/webm', await fixture('tones.vorbis.webm'), decoded)).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message: 'The audio holds sound of the codec A_VORBIS in WebM, which this server cannot decode.',
      hint: 'Convert the audio to FLAC, WAV, or Opus in Ogg or WebM.',
    });
  });
});

describe('a WAV file', () => {
  test.each(Object.keys(encodings) as EncodingName[])('of %s becomes its tones', async (encoding) => {
    expectTones(await decodedHere('audio/wav', wavOf([tones(organs)], { encoding })), organs);
  });

  test('with the long description, other chunks before its sound, or no length becomes its tones', async () => {
    const sound = [tones(organs)];
    const before = chunk('LIST', Buffer.alloc(300_001, 7));
    for (const options of [
      { extensible: true },
      { before: Buffer.concat([before, Buffer.alloc(1)]) },
      { promised: 0 },
      { promised: 0xffff_ffff },
      { promised: 0x7fff_0000 },
    ]) {
      let isCut = false;
      expectTones(await decodedHere('audio/wav', wavOf(sound, options), () => (isCut = true)), organs);
      expect(isCut).toBe(false);
    }
    let isCut = false;
    await decodedHere('audio/wav', wavOf(sound).subarray(0, 60_000), () => (isCut = true));
    expect(isCut).toBe(true);
  });

  test.each([8000, 11_025, 44_100, 48_000, 96_000])('of %i Hz is as long as before', async (from) => {
    const heard = organs.filter((tone) => pitchOf(tone) < from / 2);
    const sound = await decodedHere('audio/wav', wavOf([tones(heard, { rate: from })], { rate: from }));
    expect(sound.length).toBe(Math.round(heard.length * toneSeconds * rate));
    expectTones(sound, heard);
  });

  test('of two channels is heard whole, whether they are equal, opposite, or one is silent', async () => {
    const [sound, silent] = [tones(organs), tones(organs.map(() => null))];
    for (const other of [sound, silent, sound.map((sample) => -sample)]) {
      expectTones(await decodedHere('audio/wav', wavOf([sound, other])), organs);
      expectTones(await decodedHere('audio/wav', wavOf([other, sound])), organs);
    }
    const two = [tones([0, null, 2, null]), tones([null, 1, null, 3])];
    expectTones(await decodedHere('audio/wav', wavOf(two)), [0, 1, 2, 3]);
  });

  test('that is clipped stays in its limits', async () => {
    const clipped = tones(organs, { amplitude: 3 }).map((sample) => Math.max(-1, Math.min(1, sample)));
    const sound = await decodedHere(
      'audio/wav',
      wavOf([clipped, clipped], { rate: 16_000, encoding: 'PCM of 24 bits' }),
    );
    expect(sound.every((sample) => sample >= -1 && sample <= 1)).toBe(true);
    expectTones(sound, organs, 1.2);
  });
});

describe('a bad file', () => {
  const good = wavOf([tones([0])]);
  const withFormat = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes.writeUInt16LE(value, 20 + at);
    return bytes;
  };
  test.each<[string, Buffer, string, typeof decoded?]>([
    ['of 0 s', wavOf([new Float32Array()]), 'it holds no sound', decoded],
    ['that is only a head', good.subarray(0, 44), 'it holds no sound', decoded],
    ['that ends in its head', good.subarray(0, 30), 'it ends before its sound begins'],
    ['without channels', withFormat(2, 0), 'it has 0 channels'],
    ['of too many channels', withFormat(2, 60_000), 'it has 60000 channels'],
    ['whose samples have no size', withFormat(12, 0), 'the description of its sound is damaged'],
  ])('%s is refused with the reason', async (_, bytes, reason, decode) => {
    expect(await refusal('audio/wav', bytes, decode)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: `The audio cannot be decoded: ${reason}. Play it to see whether the file is whole, or record it again.`,
    });
  });

  test.each(['audio/webm', 'audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/flac'] as const)(
    'that only claims to be %s is refused',
    async (type) => {
      const noise = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 2_654_435_761) >>> 13));
      // MP3 goes on at the next frame, so that noise is a file of no sound, which the process tells.
      const decode = type === 'audio/mpeg' ? decoded : decodedHere;
      expect(await refusal(type, noise, decode)).toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );
});

describe('the process of the decoder', () => {
  /** An endless file, of which `given` bytes were read. */
  function endless() {
    const head = wavOf([tones([0])], { promised: 0xffff_ffff });
    const state = { given: 0, closed: false };
    const read = async (): Promise<Readable> => {
      const stream = new Readable({
        highWaterMark: 1,
        read() {
          const bytes = state.given === 0 ? head : Buffer.alloc(64 * 1024, state.given % 251);
          state.given += bytes.length;
          this.push(bytes);
        },
      });
      return stream.on('close', () => (state.closed = true));
    };
    return { state, file: { type: 'audio/wav' as const, read } };
  }

  function watched(file: ReturnType<typeof endless>['file'], signal = never) {
    const time = manualClock(0);
    let process: OwnProcess | undefined;
    const sound = decodeSound(
      file,
      { clock: time, launch: (module, options) => (process = launchNode(module, options)) },
      signal,
    );
    onTestFinished(async () => void (await sound.return()));
    return { sound, time, process: () => process! };
  }

  test('reads as slowly as its sound is taken, and ends with whoever takes it', async () => {
    const { state, file } = endless();
    const { sound, process } = watched(file);
    for (let block = 0; block < 20; block++) {
      expect((await sound.next()).value).toHaveLength(rate);
      expect(state.given).toBeLessThan((block + 2) * rate * 2 + 4 * 64 * 1024);
    }
    await sound.return();
    await process().ended;
    expect(state.closed).toBe(true);
  });

  test('ends when nobody wants its sound any more, whatever it is doing', async () => {
    const { state, file } = endless();
    const controller = new AbortController();
    const { sound, process } = watched(file, controller.signal);
    await sound.next();
    globalThis.process.kill(process().pid!, 'SIGSTOP');
    const next = sound.next();
    controller.abort(new Error('No longer wanted.'));
    await expect(next).rejects.toThrow('No longer wanted.');
    expect(await process().ended).toMatchObject({ signal: 'SIGKILL' });
    expect(state.closed).toBe(true);
  });

  test('is given up when it hangs', async () => {
    const { sound, time, process } = watched(endless().file);
    await sound.next();
    globalThis.process.kill(process().pid!, 'SIGSTOP');
    const next = sound.next();
    await Promise.resolve();
    time.advance(30_000);
    await expect(next).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await process().ended;
  });

  test('may be tried again when somebody ends it', async () => {
    const { sound, process } = watched(endless().file);
    await sound.next();
    globalThis.process.kill(process().pid!, 'SIGKILL');
    await expect(sound.next()).rejects.toMatchObject({ code: 'SERVER_BUSY', retryAfter: 5 });
  });

  test('gets no setting and no secret of the server', async () => {
    process.env['LAUDIO_SECRET_OF_TEST'] = 'secret';
    onTestFinished(() => void delete process.env['LAUDIO_SECRET_OF_TEST']);
    const { sound, process: own } = watched(endless().file);
    await sound.next();
    const environment = await readFile(`/proc/${own().pid}/environ`, 'utf8').catch(() => '');
    expect(environment).not.toContain('secret');
  });

  test('passes on that the file cannot be read', async () => {
    const read = async (): Promise<Readable> => {
      throw new Error('The disk is gone.');
    };
    await expect(watched({ type: 'audio/wav', read }).sound.next()).rejects.toThrow('The disk is gone.');
  });
});

test('of a long sound nothing is held that was taken: the end of the process is waited for once', async () => {
  let waits = 0;
  const launch: LaunchProcess = (...given) => {
    const decoder = launchWavDecoder(...given);
    const ended = new Proxy(decoder.ended, {
      get: (target, name) => {
        if (name === 'then') waits += 1;
        return (Reflect.get(target, name) as () => void).bind(target);
      },
    });
    return { ...decoder, ended };
  };
  const file = wav({ seconds: 60, rate });
  const sound = decodeSound({ type: 'audio/wav', read: async () => Readable.from([file]) }, { launch, clock }, never);
  expect((await joined(sound)).length).toBe(60 * rate);
  expect(waits).toBe(1);
});
