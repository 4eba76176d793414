/** Judges what a recogniser made of the spoken sentence in each language. */
import type { Language } from '../../src/contract/shared.ts';
import type { Trial } from './engine.ts';
import { isSentence } from './sound/spoken/sentences.ts';

const nameLanguages = (codes: readonly Language[]): string => {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  const list = codes.map((code) => names.of(code.slice(0, 2)) ?? code);
  return new Intl.ListFormat('en').format(list);
};

export function judgeSentences(heard: readonly (readonly [Language, string])[]): Omit<Trial, 'what'> {
  const tried = nameLanguages(heard.map(([language]) => language));
  const missed = heard.filter(([language, text]) => !isSentence(language, text)).map(([language]) => language);
  if (missed.length === 0) return { result: 'works', message: `The model recognises a sentence in ${tried}.` };
  return {
    result: 'partly',
    message: `The model recognises other words than those of the sentence in ${nameLanguages(missed)}.`,
    hint: 'The voices are synthetic; measure with your own voices by `laudio engine bench`.',
  };
}
