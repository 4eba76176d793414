/** Live simulation: the words of a test dictation arrive in step with the audio. */
import { liveSampleRate } from '../../../src/contract/transcription.ts';
import type { LiveHeard } from '../../../src/domain/heard-text.ts';
import type { LiveRecogniser } from '../recogniser.ts';
import { timeWords } from './word-times.ts';

const wordMs = 400;
const samplesOfWord = (wordMs * liveSampleRate) / 1000;
const secondsOf = (words: number): number => (words * wordMs) / 1000;
const endsPhrase = /[.?!]$/;

export const simulatedListening: LiveRecogniser = {
  chunkMs: wordMs,
  /** One word per 0.4 s of audio; each sentence is final at its end. The end of the audio releases the rest. */
  async listen({ sound, before, ...input }, onHeard, signal) {
    const { liveDictationFor } = await import('./transcript.ts');
    const dictation = liveDictationFor(input);
    const words = dictation.slice(dictation.startsWith(before) ? before.length : 0).match(/\S+/g) ?? [];
    let samples = 0;
    let said = 0;
    let begun = 0;
    const finish = (until: number): void => {
      onHeard(phrase(words.slice(begun, said), begun, until));
      begun = said;
    };
    const sayUpTo = (count: number, until: (said: number) => number): void => {
      for (const word of words.slice(said, count)) {
        said++;
        if (endsPhrase.test(word)) finish(until(said));
      }
    };
    for await (const piece of sound) {
      signal.throwIfAborted();
      samples += piece.length;
      const due = Math.floor(samples / samplesOfWord);
      if (Math.min(due, words.length) <= said) continue;
      sayUpTo(due, secondsOf);
      if (said > begun) onHeard({ kind: 'partial', text: words.slice(begun, said).join(' ') });
    }
    signal.throwIfAborted();
    const end = samples / liveSampleRate;
    sayUpTo(words.length, (count) => Math.min(secondsOf(count), end));
    if (said > begun) finish(end);
    onHeard({ kind: 'final', heard: { text: '' }, until: end });
  },
};

/** `first`: the number of words before the phrase. Words after the end of the audio get its end as time. */
function phrase(words: readonly string[], first: number, until: number): LiveHeard {
  const secondAfter = (count: number): number => Math.min(secondsOf(first + count), until);
  return { kind: 'final', heard: timeWords(words.join(' '), secondAfter), until };
}
