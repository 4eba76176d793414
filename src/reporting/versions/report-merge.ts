/**
 * Merges simultaneous changes of one report by two people, section by section. A section that only one changed takes
 * that change; only a section that both changed differently needs a person's decision. No word of either is lost.
 */
import type { Section } from '../../contract/document.ts';
import { elementAt } from '../../domain/elements.ts';

/** The text of a report that people change. */
export interface ReportWords {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** Replaces the section key for the report's title; no section has this key. */
export const titleKey = '';

/** A section that both changed. `undefined`: it did not exist, or was removed. */
export interface Clash {
  readonly key: string;
  /** The heading of the section; '' for the report's title. */
  readonly heading: string;
  readonly before: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

export interface Merge {
  /** Both changes; a section that both changed has our words. */
  readonly words: ReportWords;
  readonly clashes: readonly Clash[];
  /** Headings of the sections with the others' change, and '' for the title. */
  readonly taken: readonly string[];
}

type Sections = ReadonlyMap<string, Section>;

/** Three-way merge; `before` is the common base. The keys of the sections of a draft are unique. */
export function mergeReports(before: ReportWords, ours: ReportWords, theirs: ReportWords): Merge {
  const [was, mine, other] = [before, ours, theirs].map(byKey) as [Sections, Sections, Sections];
  const clashes: Clash[] = [];
  const taken: string[] = [];
  const note = (clash: Clash): void => void clashes.push(clash);

  const title = decide(before.title, ours.title, theirs.title);
  if (title.by === 'both')
    note({ key: titleKey, heading: '', before: before.title, ours: ours.title, theirs: theirs.title });
  if (title.by === 'theirs') taken.push('');

  const sections = mergeOrder(before, ours, theirs).flatMap((key): Section[] => {
    const [first, own, others] = [was.get(key), mine.get(key), other.get(key)];
    const heading = decide(first?.title, own?.title, others?.title);
    const text = decide(first?.text, own?.text, others?.text);
    const shown = heading.value ?? own?.title ?? others?.title ?? first?.title ?? '';
    if (text.by === 'both') note({ key, heading: shown, before: first?.text, ours: own?.text, theirs: others?.text });
    if (text.by === 'theirs' || (text.by === 'nobody' && heading.by === 'theirs')) taken.push(shown);
    // If both changed the heading, the section is still the same, and ours wins.
    return text.value === undefined ? [] : [{ key, title: shown, text: text.value }];
  });
  return { words: { title: title.value ?? '', sections }, clashes, taken };
}

/** Whether two reports have the same text, under the same headings in the same order. */
export const saySame = (a: ReportWords, b: ReportWords): boolean =>
  a.title === b.title &&
  a.sections.length === b.sections.length &&
  a.sections.every((section, at) => {
    const other = b.sections[at];
    return section.key === other?.key && section.text === other.text && section.title === other.title;
  });

/**
 * `words` with another text of one section; `undefined` removes it. `like`: the source of its heading and its place.
 */
export function withText(words: ReportWords, key: string, text: string | undefined, like: ReportWords): ReportWords {
  if (key === titleKey) return { ...words, title: text ?? words.title };
  if (text === undefined) return { ...words, sections: words.sections.filter((section) => section.key !== key) };
  if (words.sections.some((section) => section.key === key))
    return {
      ...words,
      sections: words.sections.map((section) => (section.key === key ? { ...section, text } : section)),
    };
  const added = like.sections.find((section) => section.key === key);
  const sections = [...words.sections];
  sections.splice(
    findPlace(
      key,
      like,
      words.sections.map((section) => section.key),
    ),
    0,
    {
      key,
      title: added?.title ?? key,
      text,
    },
  );
  return { ...words, sections };
}

interface Decision<T> {
  readonly value: T;
  readonly by: 'nobody' | 'ours' | 'theirs' | 'both';
}

/** `both`: each changed it differently; the value is ours then. */
function decide<T>(before: T, ours: T, theirs: T): Decision<T> {
  if (ours === theirs) return { value: ours, by: ours === before ? 'nobody' : 'ours' };
  if (theirs === before) return { value: ours, by: 'ours' };
  if (ours === before) return { value: theirs, by: 'theirs' };
  return { value: ours ?? theirs, by: 'both' };
}

const byKey = ({ sections }: ReportWords): Sections => new Map(sections.map((section) => [section.key, section]));
const keysOf = ({ sections }: ReportWords): string[] => sections.map(({ key }) => key);

/** The person who moved sections decides their order; sections that only one has keep their predecessor. */
function mergeOrder(before: ReportWords, ours: ReportWords, theirs: ReportWords): string[] {
  const kept = new Set(keysOf(before));
  const moved = (words: ReportWords): boolean => {
    const own = new Set(keysOf(words));
    const then = keysOf(before).filter((key) => own.has(key));
    return keysOf(words)
      .filter((key) => kept.has(key))
      .some((key, at) => key !== then[at]);
  };
  const [first, second] = moved(theirs) && !moved(ours) ? [theirs, ours] : [ours, theirs];
  const order = [...new Set(keysOf(first))];
  for (const key of new Set(keysOf(second)))
    if (!order.includes(key)) order.splice(findPlace(key, second, order), 0, key);
  return order;
}

/** After the nearest section that precedes it in `words` and is in `order`. */
function findPlace(key: string, words: ReportWords, order: readonly string[]): number {
  const keys = keysOf(words);
  for (let at = keys.indexOf(key) - 1; at >= 0; at -= 1) {
    const place = order.indexOf(elementAt(keys, at));
    if (place >= 0) return place + 1;
  }
  return 0;
}
