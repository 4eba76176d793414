/**
 * Facts of a text as the scores compare them: read apart from the program's own reading, with the least that can tell one
 * from another. Two texts that say the same in the same order have the same facts.
 */
import type { Language } from '../../src/contract/shared.ts';

const small: Readonly<Record<Language, string>> = {
  'pt-BR': 'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze',
  'en-US': 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen',
  'es-ES': 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince',
};
const alike: Readonly<Record<string, string>> = { uma: 'um', duas: 'dois', un: 'uno', una: 'uno', catorze: 'quatorze' };

/** Each is one fact, under its name; Portuguese and Spanish words are close enough to share a line. */
const words: readonly (readonly [fact: string, pattern: RegExp])[] = [
  ['right', /^(?:direit[oa]s?|derech[oa]s?|right|right-sided)$/],
  ['left', /^(?:esquerd[oa]s?|izquierd[oa]s?|left|left-sided)$/],
  ['both', /^(?:bilatera(?:l|is|les|lmente|lly))$/],
  [
    'not',
    /^(?:nao|sem|sin|no|not|without|nega|niega|denies|nenhum[a]?|ningun[oa]?|nem|ni|nor|ausencia|absence|absent)$/,
  ],
  ['upper', /^(?:superior(?:es)?|upper)$/],
  ['lower', /^(?:inferior(?:es)?|lower)$/],
  ['front', /^anterior(?:es)?$/],
  ['back', /^posterior(?:es)?$/],
  ['unit', /^(?:mm|cm|m|ml|l|kg|g|mg|mcg|hu|uh|mmhg|bpm|ms|kvp|mas|mgy|msv|mci|mbq|suv)$/],
];

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The facts, in order: figures (a decimal sign is a point), sides, places, negations, units, codes such as `t2bn1`. */
export function factsIn(text: string, language: Language): string[] {
  const numbers = small[language].split(' ');
  const pieces = plain(text).match(/\d+(?:[.,]\d+)*|\p{L}[\p{L}-]*\d[\p{L}\d-]*|\p{L}+|[±<>≤≥%]/gu) ?? [];
  return pieces.flatMap((piece): string[] => {
    if (language !== 'en-US' && piece === 'no') return language === 'es-ES' ? ['not'] : [];
    if (/^\d/.test(piece)) return [piece.replaceAll(',', '.')];
    if (/[\d±<>≤≥%]/.test(piece)) return [piece];
    const value = numbers.indexOf(alike[piece] ?? piece);
    if (value >= 0) return [String(value)];
    const found = words.find(([, pattern]) => pattern.test(piece));
    return found ? [found[0] === 'unit' ? piece : found[0]] : [];
  });
}
