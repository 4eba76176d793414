/** Pairs the sentences of the transcript with those of the report, wherever they are now. */
import { align } from './alignment.ts';
import { elementAt } from '../../domain/elements.ts';

/** The properties of a sentence that pairing needs. */
export interface Pairable {
  readonly section: string;
  readonly words: readonly { readonly key: string; readonly fact?: unknown }[];
}

/** Sentences of the transcript and of the report with the same content; several if sentences were split or joined. */
export interface Pair<E, D> {
  readonly said: readonly E[];
  readonly written: readonly D[];
}

export interface Pairing<E, D> {
  readonly pairs: readonly Pair<E, D>[];
  readonly unsaid: readonly D[];
}

const nameOf = ({ words }: Pairable): string => words.map(({ key }) => key).join(' ');

/** Words that identify a sentence: all but its facts, which may be what changed. */
const collectContent = ({ words }: Pairable): Set<string> => {
  const content = new Set(words.filter(({ fact }) => fact === undefined).map(({ key }) => key));
  return content.size > 0 ? content : new Set(words.map(({ key }) => key));
};

/**
 * Pairs equal sentences first, in order; then the most similar ones, in one section and then anywhere; then split or
 * joined ones.
 */
export function pair<E extends Pairable, D extends Pairable>(said: readonly E[], written: readonly D[]): Pairing<E, D> {
  const pairs: Open<E, D>[] = [];
  const openSaid = new Set(said.filter(({ words }) => words.length > 0));
  const openWritten = new Set(written.filter(({ words }) => words.length > 0));
  const take = (e: E, d: D): void => {
    pairs.push({ said: [e], written: [d] });
    openSaid.delete(e);
    openWritten.delete(d);
  };
  const keys = new Set(written.map(({ section }) => section));
  for (const key of keys) {
    const [es, ds] = [said, written].map((all) =>
      all.filter(({ section, words }) => section === key && words.length > 0),
    ) as [E[], D[]];
    align(es.map(nameOf), ds.map(nameOf)).forEach((place, at) => {
      if (place >= 0) take(elementAt(es, place), elementAt(ds, at));
    });
  }
  pairEqual([...openSaid], [...openWritten]).forEach(([e, d]) => take(e, d));
  for (const key of keys) {
    const ofSection = <T extends Pairable>(open: ReadonlySet<T>): T[] =>
      [...open].filter(({ section }) => section === key);
    pairAlike(ofSection(openSaid), ofSection(openWritten)).forEach(([e, d]) => take(e, d));
  }
  pairAlike([...openSaid], [...openWritten]).forEach(([e, d]) => take(e, d));
  for (const key of keys) {
    const joined = pairJoined(
      [...openSaid].filter(({ section }) => section === key),
      [...openWritten].filter(({ section }) => section === key),
    );
    if (!joined) continue;
    pairs.push(joined);
    joined.said.forEach((e) => openSaid.delete(e));
    joined.written.forEach((d) => openWritten.delete(d));
  }
  attach(pairs, said, openSaid, 'said', 'written');
  attach(pairs, written, openWritten, 'written', 'said');
  return { pairs, unsaid: [...openWritten] };
}

type Open<E, D> = { said: E[]; written: D[] };

/** Attaches a remaining sentence to its neighbour's pair if the other side has its words: a part of a sentence. */
function attach<E extends Pairable, D extends Pairable, Side extends 'said' | 'written'>(
  pairs: Open<E, D>[],
  all: readonly (E | D)[],
  open: Set<E | D>,
  side: Side,
  other: Exclude<'said' | 'written', Side>,
): void {
  if (open.size === 0) return;
  const pairOf = new Map(
    pairs.flatMap((each) => (each[side] as (E | D)[]).map((sentence) => [sentence, each] as const)),
  );
  all.forEach((sentence, at) => {
    if (!open.has(sentence)) return;
    const [before, after] = [all[at - 1], all[at + 1]].map((beside) => beside && pairOf.get(beside));
    const found = [before, after].find((each) => each && isPart(sentence, each[side], each[other]));
    if (!found) return;
    (found[side] as (E | D)[]).splice(found === before ? found[side].length : 0, 0, sentence);
    pairOf.set(sentence, found);
    open.delete(sentence);
  });
}

/** Whether most words of a sentence are among the surplus words of the other side. */
function isPart({ words }: Pairable, own: readonly Pairable[], other: readonly Pairable[]): boolean {
  const spare = new Map<string, number>();
  const count = (sentences: readonly Pairable[], by: number): void =>
    sentences.forEach((each) => each.words.forEach(({ key }) => spare.set(key, (spare.get(key) ?? 0) + by)));
  count(other, 1);
  count(own, -1);
  return words.filter(({ key }) => (spare.get(key) ?? 0) > 0).length * 2 >= words.length;
}

/** Equal sentences that moved to another place or section. */
function pairEqual<E extends Pairable, D extends Pairable>(said: readonly E[], written: readonly D[]): [E, D][] {
  const byName = new Map<string, E[]>();
  for (const e of said.toReversed()) {
    const known = byName.get(nameOf(e));
    if (known) known.push(e);
    else byName.set(nameOf(e), [e]);
  }
  return written.flatMap((d): [E, D][] => {
    const e = byName.get(nameOf(d))?.pop();
    return e ? [[e, d]] : [];
  });
}

/** A word in more sentences than this identifies none. */
const maxOccurrences = 12;
/** Share of words that two sentences must have in common to be paired. */
const minAlike = 0.5;

/** The pairs with the most words in common, each sentence once. */
function pairAlike<E extends Pairable, D extends Pairable>(said: readonly E[], written: readonly D[]): [E, D][] {
  const contents = said.map(collectContent);
  const byWord = new Map<string, number[]>();
  contents.forEach((content, at) => {
    for (const word of content) {
      const places = byWord.get(word);
      if (places) places.push(at);
      else byWord.set(word, [at]);
    }
  });
  const found: { readonly e: number; readonly d: number; readonly score: number }[] = [];
  written.forEach((sentence, d) => {
    const content = collectContent(sentence);
    const common = new Map<number, number>();
    for (const word of content) {
      const places = byWord.get(word) ?? [];
      if (places.length <= maxOccurrences || said.length <= maxOccurrences)
        for (const e of places) common.set(e, (common.get(e) ?? 0) + 1);
    }
    for (const [e, count] of common) {
      const score = (2 * count) / (content.size + elementAt(contents, e).size);
      // Among equally similar sentences ("rim direito …", "rim esquerdo …"), takes the one at the same place.
      if (score >= minAlike) found.push({ e, d, score: score - Math.abs(e / said.length - d / written.length) / 100 });
    }
  });
  const [usedE, usedD] = [new Set<number>(), new Set<number>()];
  return found
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ e, d }): [E, D][] => {
      if (usedE.has(e) || usedD.has(d)) return [];
      usedE.add(e);
      usedD.add(d);
      return [[elementAt(said, e), elementAt(written, d)]];
    });
}

/** The rest of a section on both sides, if most of the words are the same: sentences that were split or joined. */
function pairJoined<E extends Pairable, D extends Pairable>(
  said: readonly E[],
  written: readonly D[],
): Open<E, D> | undefined {
  if (said.length === 0 || written.length === 0) return undefined;
  const keys = (all: readonly Pairable[]): string[] => all.flatMap(({ words }) => words.map(({ key }) => key));
  const [a, b] = [keys(said), keys(written)];
  const same = align(a, b).filter((place) => place >= 0).length;
  return (2 * same) / (a.length + b.length) >= minAlike ? { said: [...said], written: [...written] } : undefined;
}
