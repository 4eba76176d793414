/** A server without the library that one of the decoders needs: the other formats are heard, and these say what to do. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { launchNode } from '../../../../server/runtime/processes/node-process.ts';
import { decodeSound } from '../../../../server/speech/sound/decode.ts';
import { soundRate } from '../../../../server/speech/sound/rate.ts';
import type { AudioType } from '../../../../src/contract/document.ts';
import { manualClock } from '../../../../src/domain/clock.ts';

const files: readonly [string, AudioType, 'heard' | 'refused'][] = [
  ['speech.wav', 'audio/wav', 'heard'],
  ['tones.stereo.mp3', 'audio/mpeg', 'heard'],
  ['tones.opus.ogg', 'audio/ogg', 'heard'],
  ['tones.webm', 'audio/webm', 'heard'],
  ['tones.opus.mp4', 'audio/mp4', 'heard'],
  ['tones.m4a', 'audio/mp4', 'refused'],
  ['tones.flac', 'audio/flac', 'refused'],
  ['tones.vorbis.ogg', 'audio/ogg', 'refused'],
];

test.runIf(process.platform === 'linux')('without libasound2', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'laudio-library-'));
  const before = process.env['LD_LIBRARY_PATH'];
  onTestFinished(async () => {
    if (before === undefined) delete process.env['LD_LIBRARY_PATH'];
    else process.env['LD_LIBRARY_PATH'] = before;
    await rm(directory, { recursive: true, force: true });
  });
  // The system's loader takes the first file of the name, and this one is no library.
  await writeFile(join(directory, 'libasound.so.2'), 'no library');
  process.env['LD_LIBRARY_PATH'] = directory;
  const outcomeOf = async (name: string, type: AudioType): Promise<unknown> => {
    const bytes = await readFile(new URL(`../../../fixtures/audio/${name}`, import.meta.url));
    const deps = { launch: launchNode, clock: manualClock(0) };
    let samples = 0;
    try {
      const file = { type, read: async () => Readable.from([bytes]) };
      for await (const block of decodeSound(file, deps, new AbortController().signal)) samples += block.length;
      return samples / soundRate;
    } catch (error) {
      return error;
    }
  };
  for (const [name, type, end] of files) {
    const outcome = await outcomeOf(name, type);
    if (end === 'heard') expect(outcome, name).toBeGreaterThan(0.9);
    else {
      expect(outcome, name).toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: expect.stringContaining('whose decoder does not load on this computer'),
        hint: expect.stringMatching(/apt install libasound2.*WAV, MP3/),
      });
    }
  }
});
