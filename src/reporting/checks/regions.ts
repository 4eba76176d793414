/** Places of phrases in sentences, and the regions of the body that come in pairs. */
import { phraseAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import type { ReadSection, Sentence } from './reading.ts';

export interface Place<T> {
  readonly value: T;
  readonly from: number;
  readonly to: number;
}

/** Every phrase of an index among the tokens `from` up to `to`. */
export function findPlaces<T>(tokens: readonly Token[], from: number, to: number, index: PhraseIndex<T>): Place<T>[] {
  const places: Place<T>[] = [];
  for (let at = from; at < to; at += 1) {
    const found = phraseAt(tokens, at, index);
    if (!found || found.to > to) continue;
    places.push({ value: found.value, from: at, to: found.to });
    at = found.to - 1;
  }
  return places;
}

export const placesIn = <T>({ tokens }: ReadSection, { from, to }: Sentence, index: PhraseIndex<T>): Place<T>[] =>
  findPlaces(tokens, from, to, index);

/** Regions that come in pairs, of which an exam shows one. */
export const pairedRegions: ReadonlySet<string> = new Set([
  'knee',
  'shoulder',
  'hip',
  'wrist',
  'ankle',
  'elbow',
  'foot',
  'hand',
  'breast',
  'thigh',
  'leg',
  'forearm',
  'testis',
]);
