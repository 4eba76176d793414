/**
 * A sentence in each language, in a synthetic voice: "The lungs are clear." What a recogniser makes of them shows what
 * it can do, without anybody's dictation.
 */
import { readFileSync } from 'node:fs';
import type { Language } from '../../../../src/contract/shared.ts';
import { decodeSamples } from '../../../../src/domain/dictation/samples.ts';
import { wavHeadBytes } from '../../../../src/domain/dictation/wav.ts';
import { fold } from '../../../../src/domain/fold.ts';

/** Words (folded) that a recogniser must hear in the sentence. */
const sentences: Readonly<Record<Language, readonly string[]>> = {
  'pt-BR': ['pulmoes', 'limpos'],
  'en-US': ['lungs', 'clear'],
  'es-ES': ['pulmones', 'limpios'],
};

/** The samples of the sentence: one channel at `soundRate`. */
export const readSentence = (language: Language): Float32Array =>
  decodeSamples(readFileSync(new URL(`${language}.wav`, import.meta.url)).subarray(wavHeadBytes));

/** Whether the text is that of the sentence, as far as a recogniser of ordinary quality hears it. */
export const isSentence = (language: Language, text: string): boolean => {
  const said = fold(text.normalize('NFC'));
  return sentences[language].every((word) => said.includes(word));
};
