/** Detects which of our languages a text is written in, by its commonest words. */
import { languages } from '../../contract/shared.ts';
import type { Language } from '../../contract/shared.ts';
import { wordList } from '../../domain/fold.ts';
import { tables } from '../languages/index.ts';
import { phraseWords } from './phrases.ts';
import { tokenise } from './token.ts';
import { normalForm } from '../../domain/normal-form.ts';

/** Words (folded) that one of the languages has and the two others lack, or hardly use. */
const commonWords: Readonly<Record<Language, string>> = {
  'pt-BR': `
    nao com sem uma um sao do da dos das em na nos nas ao aos pelo pela ha ou mais foi esta isso paciente direito esquerdo
    exame normais pulmoes ponto virgula secao pelos milimetros centimetros
  `,
  'en-US': `
    the of and with without is are was were in on to for not there this that by from at or patient right left normal exam
    period comma scan millimeters centimeters
  `,
  'es-ES': `
    el los las del y con sin una un en es al se hay fue como mas paciente derecho izquierdo examen estudio normales pulmones
    punto coma seccion lo por milimetros centimetros
  `,
};

/** Letters that only one of the languages has. */
const letters: readonly (readonly [RegExp, Language])[] = [
  [/[ãõç]/giu, 'pt-BR'],
  [/[ñ¿¡]/giu, 'es-ES'],
];

/** Enough for a decision; the rest of a long text would not change it. */
const sampleLength = 20_000;

let known: ReadonlyMap<string, readonly Language[]> | undefined;

/** Words → the languages that have them; a word of two languages counts for both. */
const votesOfWords = (): ReadonlyMap<string, readonly Language[]> => (known ??= readVotes());

function readVotes(): ReadonlyMap<string, readonly Language[]> {
  const found = new Map<string, Language[]>();
  for (const language of languages) {
    const { sections, facts, lexicon } = tables[language];
    const lists = [sections.names, facts.sides, lexicon.findings, lexicon.regions, lexicon.organs].flatMap(
      Object.values<string>,
    );
    const long = lists.flatMap(phraseWords).filter((word) => word.length > 4);
    for (const word of new Set([...wordList(commonWords[language]), ...long])) {
      found.set(word, [...(found.get(word) ?? []), language]);
    }
  }
  return found;
}

/** The language with most of the votes of words and letters; `undefined` if two are equal or none has any. */
export function detectLanguage(text: string): Language | undefined {
  const count = votesIn(text);
  const [first, second] = languages.toSorted((a, b) => count[b] - count[a]);
  return first && second && count[first] > count[second] ? first : undefined;
}

/** Votes that make another language certain, and its ratio to the expected one: reports borrow words. */
const sure = { votes: 6, times: 3 };

/** The language that the text is certainly in, if it is not the expected one. */
export function detectOtherLanguage(text: string, expected: Language): Language | undefined {
  const count = votesIn(text);
  const found = detectLanguage(text);
  if (!found || found === expected) return undefined;
  return count[found] >= sure.votes && count[found] >= sure.times * count[expected] ? found : undefined;
}

function votesIn(text: string): Record<Language, number> {
  const sample = normalForm(text.slice(0, sampleLength));
  const count: Record<Language, number> = { 'pt-BR': 0, 'en-US': 0, 'es-ES': 0 };
  const votes = votesOfWords();
  for (const { folded } of tokenise(sample)) {
    const voted = votes.get(folded) ?? [];
    for (const language of voted) count[language] += 1 / voted.length;
  }
  for (const [letter, language] of letters) count[language] += sample.match(letter)?.length ?? 0;
  return count;
}
