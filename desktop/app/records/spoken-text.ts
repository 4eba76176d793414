/** Hears a short spoken text that belongs to no dictation, such as an addendum, and writes it as dictations are written. */
import { beginLiveDictation } from '../../../src/client/events/live-dictation.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { liveSampleRate } from '../../../src/contract/transcription.ts';
import type { Phrase, TranscriptionInput } from '../../../src/contract/transcription.ts';
import { decodeSamples, encodeSamples } from '../../../src/domain/dictation/samples.ts';
import { readWavRate, wavHeadBytes } from '../../../src/domain/dictation/wav.ts';
import { createResampler } from '../../../src/node/sound/resampler.ts';
import type { Macro } from '../../../src/reporting/vocabulary/macros.ts';
import type { Term } from '../../../src/reporting/vocabulary/vocabulary.ts';
import { write } from '../../../src/reporting/write.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { Service, ServiceDeps } from '../service.ts';

export interface SpokenTextDeps extends Pick<ServiceDeps, 'clock' | 'random' | 'connect'> {
  /** Autotexts and vocabulary. */
  readonly report: (about: {
    readonly item_id: string | null;
    readonly language: Language;
    readonly template_id: null;
  }) => Promise<{ readonly macros: readonly Macro[]; readonly terms: readonly Term[] }>;
}

export function createSpokenText(deps: SpokenTextDeps): Service<'speech'> {
  return {
    handlers: {
      async 'speech.write'({ item_id, language }, wav) {
        const [heard, { macros, terms }] = await Promise.all([
          hear(deps, await toLiveRate(wav), { language, ...(item_id !== null && { worklist_item_id: item_id }) }),
          deps.report({ item_id, language, template_id: null }),
        ]);
        const { sections } = write({
          heard: { text: heard },
          language,
          sections: [],
          macros,
          vocabulary: { terms, isHeard: true },
        });
        const written = sections.filter(({ text }) => text !== '');
        return { text: written.map(({ title, text }) => (written.length > 1 ? `${title}: ${text}` : text)).join('\n') };
      },
    },
    close: async () => undefined,
  };
}

async function toLiveRate(wav: Uint8Array): Promise<Uint8Array> {
  const pcm = wav.subarray(wavHeadBytes);
  const resampler = await createResampler(readWavRate(wav), liveSampleRate);
  try {
    const samples = [resampler.resample(decodeSamples(pcm)), resampler.flush()];
    return Buffer.concat(samples.map(encodeSamples));
  } finally {
    resampler.free();
  }
}

/** The words of the sound. Throws ENGINE_UNAVAILABLE if the service can't hear it. */
async function hear(
  { clock, random, connect }: SpokenTextDeps,
  sound: Uint8Array,
  about: TranscriptionInput,
): Promise<string> {
  const { transcriptions } = connect().client;
  const phrases: Phrase[] = [];
  const over = Promise.withResolvers<void>();
  const live = await beginLiveDictation(
    {
      transcriptions,
      clock,
      random,
      sound: { size: sound.length, read: async (from, to) => sound.subarray(from, to) },
      onEvent(event) {
        if (event.type === 'final') phrases.push(event.phrase);
        if (event.type === 'ended') over.resolve();
        if (event.type === 'failed') over.reject(new AppError('ENGINE_UNAVAILABLE'));
      },
      onRefused: over.reject,
    },
    about,
  );
  try {
    await Promise.all([live.end(), over.promise]);
  } finally {
    await live.close();
    // If that fails, the service deletes it after a day.
    await transcriptions.delete({ params: { id: live.id } }).catch(() => undefined);
  }
  return phrases.map(({ text }) => text).join(' ');
}
