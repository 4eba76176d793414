/** Finds the sentences of the findings on the same topic as one of the impression, and the clauses of each. */
import type { Rules } from '../rules.ts';
import { stem } from '../words/stem.ts';
import { common, isSide, perSentence, sidesOf, describesFindings } from './comparing.ts';
import { measuresIn } from './measures.ts';
import type { ReadSection, Sentence } from './reading.ts';
import { elementAt, lastElement } from '../../domain/elements.ts';

/** The words that give the topic of a sentence. */
export const topicOf = perSentence(
  ({ words }, { lexicon }: Rules): ReadonlySet<string> =>
    new Set(
      words
        .filter(({ fact, key }) => fact === undefined && key.length > 2 && !lexicon.small.has(key))
        .map(({ key }) => stem(key)),
    ),
);

export interface Topic {
  readonly sentence: Sentence;
  readonly words: ReadonlySet<string>;
}

/** Sentences of the findings, by each word of their topic. */
export interface Topics {
  readonly all: readonly Topic[];
  readonly byWord: ReadonlyMap<string, readonly Topic[]>;
  /** The sentences by the findings that they affirm. */
  readonly byFinding: ReadonlyMap<string, readonly Topic[]>;
  /** Each sentence → the one after it. */
  readonly next: ReadonlyMap<Sentence, Sentence | undefined>;
}

export function grouped<T>(all: readonly T[], keysOf: (of: T) => Iterable<string>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    for (const key of keysOf(each)) {
      const group = groups.get(key);
      if (group) group.push(each);
      else groups.set(key, [each]);
    }
  }
  return groups;
}

/** A finding's general name, independent of its place. */
const bases: Readonly<Record<string, string>> = {
  pulmonary_nodule: 'nodule',
  kidney_stone: 'stone',
  ureter_stone: 'stone',
  gallstone: 'stone',
};

/** The findings that a sentence affirms. */
export const affirmed = perSentence(
  ({ mentions }): ReadonlySet<string> =>
    new Set(mentions.filter(({ isDenied }) => !isDenied).map(({ key }) => bases[key] ?? key)),
);

export function indexTopics(sections: readonly ReadSection[], rules: Rules): Topics {
  const all = sections
    .filter(describesFindings)
    .flatMap(({ sentences }) => sentences.map((sentence) => ({ sentence, words: topicOf(sentence, rules) })));
  const byWord = grouped(all, ({ words }) => words);
  const byFinding = grouped(all, ({ sentence }) => affirmed(sentence));
  const next = new Map(all.map(({ sentence }, at) => [sentence, all[at + 1]?.sentence]));
  return { all, byWord, byFinding, next };
}

/** The largest number of sentences that are compared with one. */
const maxSentences = 100;

/**
 * Sentences of the findings on the same topic: two words in common, or all words of the shorter one, or the finding
 * itself ("nódulo") if no other sentence has it; never those of other organs.
 */
export function sameTopic(sentence: Sentence, rules: Rules, topics: Topics): Sentence[] {
  const words = topicOf(sentence, rules);
  const counted = new Map<Topic, number>();
  for (const word of words) {
    // A word of very many sentences distinguishes none.
    const known = topics.byWord.get(word) ?? [];
    if (known.length <= maxSentences) for (const topic of known) counted.set(topic, (counted.get(topic) ?? 0) + 1);
  }
  const same = [...counted].filter(([topic, count]) => {
    const isSameOrgan = common(organsOf(topic.sentence), organsOf(sentence)) > 0;
    return count + (isSameOrgan ? 1 : 0) >= Math.min(2, words.size, topic.words.size);
  });
  const found = same.length > 0 ? same.map(([topic]) => topic) : onlyOne(sentence, topics);
  return found.map((topic) => topic.sentence).filter((other) => areNear(other, sentence));
}

export const organsOf = perSentence(({ organs }): ReadonlySet<string> => new Set(organs.map(({ key }) => key)));

/** Levels of the spine that a sentence names. */
const levelsOf = perSentence(
  ({ words }): ReadonlySet<string> =>
    new Set(words.flatMap(({ key }) => key.split('-')).filter((key) => /^[cdlst]\d{1,2}$/.test(key))),
);

const mayMeet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === 0 || b.size === 0 || common(a, b) > 0;

/** Whether two sentences may be about one organ, and about one level. */
export const areNear = (a: Sentence, b: Sentence): boolean =>
  mayMeet(organsOf(a), organsOf(b)) && mayMeet(levelsOf(a), levelsOf(b));

/** The only sentence of the findings that affirms the finding of this one. */
function onlyOne(sentence: Sentence, { byFinding }: Topics): readonly Topic[] {
  for (const key of affirmed(sentence)) {
    const found = byFinding.get(key);
    if (found?.length === 1) return found;
  }
  return [];
}

/** Whether it names neither a finding nor an organ: "Mild narrowing on the right", "and 9 mm in the left lobe". */
export const isElliptic = ({ mentions, organs }: Sentence): boolean => mentions.length === 0 && organs.length === 0;

/** Adds the elliptic sentence that continues each. */
export function withElliptic(found: readonly Sentence[], { next }: Topics): Sentence[] {
  return found.flatMap((sentence) => {
    const after = next.get(sentence);
    return after?.section === sentence.section && isElliptic(after) && sidesOf(after).size > 0 && !found.includes(after)
      ? [sentence, after]
      : [sentence];
  });
}

/**
 * Among clauses about one thing, those that affirm the same finding, if there are any, with their continuations: "mama
 * direita sem alterações" is none. Among several, those with the same measure, if there is one.
 */
export function naming(part: Sentence, same: readonly Sentence[]): readonly Sentence[] {
  const keys = affirmed(part);
  const affirming = same.filter((other) => common(keys, affirmed(other)) > 0);
  const goesOn = (other: Sentence): boolean =>
    isElliptic(other) &&
    affirming.some(
      ({ section, from, to }) => section === other.section && (other.from === from || other.from - to === 0),
    );
  const named = affirming.length > 0 ? same.filter((other) => affirming.includes(other) || goesOn(other)) : same;
  const measures = measuresIn(part);
  const alike = named.filter((other) =>
    measuresIn(other).some((each) =>
      measures.some(({ unit, values }) => unit === each.unit && `${values}` === `${each.values}`),
    ),
  );
  return alike.length > 0 ? alike : named;
}

/** The largest number of sides in a sentence that is split into clauses. */
const maxSides = 24;

/** The clauses of a sentence, each of which may have its side: "nódulo à direita e cisto à esquerda". */
export const splitClauses = perSentence((sentence, rules: Rules): readonly Sentence[] => {
  const { words } = sentence;
  const sides = words.flatMap((word, at) => (isSide(word) ? [at] : []));
  if (sides.length < 2 || sides.length > maxSides) return [sentence];
  let from = 0;
  return sides.map((side, at): Sentence => {
    const next = sides[at + 1];
    const own = words.slice(from, next === undefined ? words.length : endOfPart(words, side, next, rules));
    from += own.length;
    const [first, last] = [elementAt(own, 0), lastElement(own)];
    const isIn = ({ token }: { readonly token: number }): boolean => token >= first.token && token <= last.token;
    return {
      ...sentence,
      mentions: sentence.mentions.filter(isIn),
      organs: sentence.organs.filter(isIn),
      words: own,
      start: first.start,
      end: last.end,
    };
  });
});

/** The end of the clause of one side: before the last joint between it and the next side, otherwise after it. */
function endOfPart(words: Sentence['words'], side: number, next: number, { numbers, lexicon }: Rules): number {
  for (let at = next - 1; at > side; at -= 1) {
    const { key } = elementAt(words, at);
    if (numbers.grammar.decimals.and.has(key) || lexicon.joints.has(key)) return at;
  }
  return side + 1;
}
