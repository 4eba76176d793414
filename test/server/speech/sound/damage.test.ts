/** Whatever is done to a file, the readers of containers end: with sound, with none, or with a refusal. */
import { readFile } from 'node:fs/promises';
import * as fc from '../../../support/properties.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { formats } from '../../../../server/speech/sound/formats/formats.ts';
import type { AudioType } from '../../../../src/contract/document.ts';

const files: readonly [string, AudioType][] = [
  ['tones.webm', 'audio/webm'],
  ['tones.opus.ogg', 'audio/ogg'],
  ['tones.vorbis.ogg', 'audio/ogg'],
  ['tones.flac', 'audio/flac'],
  ['tones.index-last.m4a', 'audio/mp4'],
  ['tones.fragments.m4a', 'audio/mp4'],
];
/** Samples that a damaged file of 2.8 s may have; a lie about times must not become hours. */
const mostSamples = 60 * 48_000;

test.each(files)('%s, damaged anywhere, ends', async (name, type) => {
  // The decoders tell the console of damaged packets.
  const silent = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
  for (const spy of silent) spy.mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const whole = await readFile(new URL(`../../../fixtures/audio/${name}`, import.meta.url));
  const decode = await formats[type]();
  const places = fc.oneof(fc.nat(600), fc.nat(whole.length - 1));
  const changes = fc.array(fc.record({ at: places, byte: fc.nat(255) }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(changes, fc.double({ min: 0.1, max: 1, noNaN: true }), async (changed, share) => {
      const bytes = Uint8Array.from(whole.subarray(0, Math.ceil(whole.length * share)));
      for (const { at, byte } of changed) if (at < bytes.length) bytes[at] = byte;
      let samples = 0;
      async function* read() {
        for (let at = 0; at < bytes.length; at += 4096) yield bytes.slice(at, at + 4096);
      }
      try {
        for await (const { channels } of decode(read, () => {})) {
          samples += channels[0]?.length ?? 0;
          if (samples > mostSamples) break;
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
      expect(samples).toBeLessThanOrEqual(mostSamples);
    }),
    { numRuns: 10 },
  );
});
