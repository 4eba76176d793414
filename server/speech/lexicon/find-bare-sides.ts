/**
 * Finds sides of nothing: "right to stall your" for "right distal ureter", "óbulo derecho" for "lóbulo derecho". Each
 * word is one of the language, and both hearings may agree on it.
 */
import type { Language } from '../../../src/contract/shared.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import { wordSet } from '../../../src/domain/fold.ts';
import { integerAt } from '../../../src/reporting/numbers/numeral.ts';
import { findRules } from '../../../src/reporting/rules.ts';
import type { Rules } from '../../../src/reporting/rules.ts';
import type { HeardToken, Span } from '../../../src/reporting/words/token.ts';

/** The words next to a side among which the name of its part is. */
const maxWords = 3;
/** The words before a side that are searched for a comparison. */
const maxRelated = 6;

/** Words, folded, with which a side has no noun ("on the right", "à direita"), or its noun ends. */
const links: Readonly<Record<Language, ReadonlySet<string>>> = {
  'en-US': wordSet('on to toward towards from than'),
  'pt-BR': wordSet(
    'o a os as um uma e ou em no na nos nas de do da dos das ao aos com sem por para que mais menos este esta',
  ),
  'es-ES': wordSet('el la los las un una y o en de del a al con sin por para hacia que mas menos este esta'),
};

/** Nouns of everyday language that have a side, folded: parts of the body, of an organ, and of a report. */
const sidedNouns: Readonly<Record<Language, ReadonlySet<string>>> = {
  'en-US': wordSet(`
    thumb finger fingers cheek eyebrow nostril heel forehead temple nail palm sole shin scalp skin fold crease region area aspect margin border edge
    contour sector segment portion part half quadrant chamber recess gutter predominance volume tooth teeth scar field vision port line lead device
    flank back front corner level image view extremity extremities
  `),
  'pt-BR': wordSet(`
    indicador minimo anular bochecha sobrancelha narina panturrilha batata calcanhar virilha testa tempora canela unha cotovelo nadega loja regiao area
    aspecto aspectos margem margens borda bordas bordo contorno contornos setor segmento segmentos porcao porcoes parte partes metade terco nivel vertice
    concavidade convexidade predominio dominancia couro planta palma visao acuidade volume incidencia imagem dente calha goteira recesso prega campo
    camaras desvio lateralidade
  `),
  'es-ES': wordSet(`
    indice menique anular nalga mejilla ceja narina pantorrilla frente sien espinilla talon codo ingle pliegue cuerda region area aspecto aspectos
    margen margenes borde bordes contorno contornos sector segmento segmentos porcion porciones parte partes mitad tercio nivel agujero vertice
    concavidad convexidad predominio dominancia cuero planta palma vision agudeza volumen incidencia imagen diente eje campo lamina laminas injerto
    anexo anejo canal gotera receso camaras lateralidad
  `),
};

/** "Ao esquerdo", "al izquierdo": a side after a comparison or a relation ("igual ao direito"), or of nothing. */
const relatedSides: Readonly<
  Record<Language, { readonly before: ReadonlySet<string>; readonly related: ReadonlySet<string> }>
> = {
  'en-US': { before: wordSet(''), related: wordSet('') },
  'pt-BR': {
    before: wordSet('ao aos em'),
    related: wordSet(`
      lado relacao comparado comparada comparados comparadas comparacao comparativamente semelhante semelhantes similar similares simetrico simetrica igual
      iguais identico identica equivalente contralateral oposto oposta homologo superior inferior proximo proxima paralelo junto comum contiguo adjacente
    `),
  },
  'es-ES': {
    before: wordSet('al en'),
    related: wordSet(`
      lado relacion respecto comparado comparada comparados comparadas comparacion semejante semejantes similar similares simetrico simetrica igual iguales
      identico identica equivalente contralateral opuesto opuesta homologo superior inferior proximo proxima paralelo junto comun contiguo adyacente
    `),
  },
};

/** `isMedical`: whether a word (folded) is of medicine, not only of the language. */
export function findBareSides(
  tokens: readonly HeardToken[],
  language: Language,
  isMedical: (word: string) => boolean,
): Span[] {
  const rules = findRules(language);
  const isPart = ({ text, folded }: HeardToken): boolean =>
    isMedical(folded) || sidedNouns[language].has(folded) || (text.length > 1 && text === text.toUpperCase());
  return tokens.flatMap((side, at) => {
    if (!isSide(side, rules)) return [];
    const words = rules.facts.sideFirst ? wordsAfter(tokens, at, rules) : nounBefore(tokens, at, rules);
    const [first, last] = [words[0], words.at(-1)];
    const nouns = words.filter(({ folded }) => !rules.facts.places.has(folded));
    if (!first || !last || nouns.length === 0 || nouns.some(isPart)) return [];
    return [{ start: Math.min(side.start, first.start), end: Math.max(side.end, last.end) }];
  });
}

const isSide = ({ kind, folded }: HeardToken, { facts }: Rules): boolean => {
  const side = kind === 'word' ? facts.sides.get(folded) : undefined;
  return side === 'right' || side === 'left';
};

const isNumber = (tokens: readonly HeardToken[], at: number, { facts, numbers }: Rules): boolean =>
  integerAt(tokens, at, facts.grammar.words) !== undefined ||
  numbers.measures.ordinals.has(elementAt(tokens, at).folded);

/** English: fewer words are the whole of a clause that names its part before ("Kidney stone, right lower"). */
function wordsAfter(tokens: readonly HeardToken[], at: number, rules: Rules): readonly HeardToken[] {
  const { language, facts, lexicon, instructions } = rules;
  const isArticle = instructions.articles.has(tokens[at - 1]?.folded ?? '');
  const words = tokens.slice(at + 1, at + 1 + maxWords);
  const end = words.findIndex(({ kind }) => kind !== 'word');
  const clause = end < 0 ? words : words.slice(0, end);
  const [next, noun] = clause;
  if (!next || (isArticle && links[language].has(tokens[at - 2]?.folded ?? ''))) return [];
  if (clause.some((word, offset) => isSide(word, rules) || isNumber(tokens, at + 1 + offset, rules))) return [];
  // "In the right to stale ureter": nothing of the right.
  if (isArticle && noun && next.folded === 'to') return [next];
  // "In the right lower low."
  const isPlaceOfNoun = noun && clause.length === 2 && facts.places.has(next.folded) && !facts.free.has(noun.folded);
  const isNamed = clause.length === maxWords || isPlaceOfNoun;
  return !isNamed || lexicon.measures.has(next.folded) || lexicon.bears.has(next.folded) ? [] : clause;
}

function nounBefore(tokens: readonly HeardToken[], at: number, rules: Rules): readonly HeardToken[] {
  const ends = (place: number): boolean => {
    const token = tokens[place];
    return token?.kind !== 'word' || links[rules.language].has(token.folded) || isNumber(tokens, place, rules);
  };
  const { before, related } = relatedSides[rules.language];
  if (before.has(tokens[at - 1]?.folded ?? '') && /os?$/.test(elementAt(tokens, at).folded)) {
    const sentence = tokens.slice(Math.max(0, at - maxRelated), at);
    return sentence.some(({ folded }) => related.has(folded)) ? [] : tokens.slice(at - 1, at);
  }
  let from = at;
  while (at - from < maxWords && !ends(from - 1)) from -= 1;
  // A measure: "nódulo de 2 milímetros direito".
  return from > 0 && isNumber(tokens, from - 1, rules) ? [] : tokens.slice(from, at);
}
