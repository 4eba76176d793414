/** Compound directions whose halves recognisers write apart: phrase → written ("super lateral" → superolateral). */
import type { Language } from '../../contract/shared.ts';
import { phraseList, wordList } from '../../domain/fold.ts';

/** First half, the same in every language → as it is heard. */
const beginnings: Readonly<Record<string, string>> = {
  supero: 'supero, super, super o',
  infero: 'infero, infer, infer o, in fero',
  antero: 'antero, anter o, ante ro',
  postero: 'postero, poster o',
};

const ends: Readonly<Record<Language, string>> = {
  'pt-BR': `
    lateral laterais medial mediais externo externa externos externas interno interna internos internas superior superiores inferior inferiores
    posterior posteriores
  `,
  'en-US': 'lateral medial superior inferior posterior',
  'es-ES': `
    lateral laterales medial mediales externo externa externos externas interno interna internos internas superior superiores inferior inferiores
    posterior posteriores
  `,
};

/** "Superoposterior" is no direction, "anterosuperior" is one. */
const isDirection = (first: string, second: string): boolean =>
  !second.startsWith(first.slice(0, -1)) &&
  !(/^(?:supero|infero)/.test(first) && /^(?:superior|inferior|posterior)/.test(second));

/** Portuguese doubles the letter: "anterossuperior". */
const join = (language: Language, first: string, second: string): string =>
  first + (language === 'pt-BR' && second.startsWith('s') ? 's' : '') + second;

export const findDirections = (language: Language): (readonly [phrase: string, written: string])[] =>
  Object.entries(beginnings).flatMap(([first, heard]) =>
    wordList(ends[language])
      .filter((second) => isDirection(first, second))
      .flatMap((second) =>
        phraseList(heard).map((form) => [`${form} ${second}`, join(language, first, second)] as const),
      ),
  );
