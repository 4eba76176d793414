/** Which words are spoken punctuation, as data: what is written for them, and when they are ordinary words instead. */
import type { Language } from '../../contract/shared.ts';

/** To which side a mark clings: `left` as a comma, `right` as an opening parenthesis. */
type Cling = 'left' | 'right' | 'both';

export interface SpokenMark {
  readonly out: string;
  readonly cling: Cling;
  readonly phrases: Readonly<Record<Language, readonly string[]>>;
}

const mark = (out: string, cling: Cling, pt: string[], en: string[], es: string[]): SpokenMark => ({
  out,
  cling,
  phrases: { 'pt-BR': pt, 'en-US': en, 'es-ES': es },
});

export const spokenMarks: readonly SpokenMark[] = [
  mark(
    '.',
    'left',
    ['ponto', 'ponto final', 'ponto e seguido'],
    ['period', 'full stop'],
    ['punto', 'punto y seguido', 'punto final'],
  ),
  mark(',', 'left', ['vírgula'], ['comma'], ['coma']),
  mark(':', 'left', ['dois pontos'], ['colon'], ['dos puntos']),
  mark(';', 'left', ['ponto e vírgula'], ['semicolon'], ['punto y coma']),
  mark('?', 'left', ['ponto de interrogação'], ['question mark'], ['signo de interrogación']),
  mark('!', 'left', ['ponto de exclamação'], ['exclamation mark', 'exclamation point'], ['signo de exclamación']),
  mark(
    '(',
    'right',
    ['abre parênteses', 'abrir parênteses', 'abre parêntese'],
    ['open parenthesis', 'left parenthesis'],
    ['abrir paréntesis', 'abre paréntesis'],
  ),
  mark(
    ')',
    'left',
    ['fecha parênteses', 'fechar parênteses', 'fecha parêntese'],
    ['close parenthesis', 'right parenthesis'],
    ['cerrar paréntesis', 'cierra paréntesis'],
  ),
  mark('"', 'right', ['abre aspas', 'abrir aspas'], ['open quote', 'begin quote'], ['abrir comillas', 'abre comillas']),
  mark(
    '"',
    'left',
    ['fecha aspas', 'fechar aspas'],
    ['close quote', 'end quote'],
    ['cerrar comillas', 'cierra comillas'],
  ),
  mark('-', 'both', ['hífen', 'traço'], ['hyphen'], ['guion']),
  mark('/', 'both', ['barra'], ['slash'], ['barra']),
  mark('\n', 'both', ['nova linha', 'próxima linha'], ['new line', 'next line'], ['nueva línea']),
  mark('\n\n', 'both', ['novo parágrafo'], ['new paragraph', 'next paragraph'], ['nuevo párrafo']),
  mark(
    '.\n\n',
    'both',
    ['ponto parágrafo', 'ponto novo parágrafo', 'ponto e novo parágrafo'],
    [],
    ['punto y aparte', 'punto aparte'],
  ),
];

/** When a phrase is an ordinary word. */
export interface WordUse {
  /** After one of these (compared folded) it is a word: "no ponto", "the period". */
  readonly after: string;
  /** Before one of these it is a word: "ponto de McBurney", "period of", "coma profundo". */
  readonly before: string;
  /** Common as a word at the end of a clause, so that a written mark right after it makes it no punctuation. */
  readonly isNoun?: true;
  /** Taken for punctuation only right after a section name or a word of `after`: the colon is an organ as well. */
  readonly onlyAfter?: string;
}

const ptArticles = `
  o a os as um uma uns umas no na nos nas do da dos das ao aos pelo pela num numa em de com sem por para este esse aquele
  neste nesse deste desse cada qual algum nenhum outro primeiro segundo terceiro unico mesmo e ou
`;
const esArticles = `
  el la los las un una unos unas del al en de con sin por para este ese aquel cada algun ningun otro primer segundo tercer
  unico mismo y o
`;
const enArticles = `
  the a an this that each every of in on at for with without during over same any no one first second third last and or
`;

/** Phrase → when it is a word. A phrase that is not listed is always punctuation. */
export const wordUses: Readonly<Record<Language, Readonly<Record<string, WordUse>>>> = {
  'pt-BR': {
    ponto: {
      after: ptArticles,
      before: `
        de doloroso dolorosa gatilho cego lacrimal hemorragico hiperecogenico ecogenico j isoeletrico fixo isolado
      `,
    },
    'dois pontos': {
      after: 'os nos dos aos com em entre por de',
      before: 'de dolorosos gatilho hemorragicos ecogenicos cirurgicos',
    },
    traço: { after: `${ptArticles} algum discreto tenue fino`, before: 'de fraturario falcemico talassemico' },
    barra: { after: ptArticles, before: 'de ossea fibrosa metalica' },
    'nova linha': { after: 'a uma na da de', before: 'de arterial venosa terapeutica' },
    'próxima linha': { after: 'a na da de', before: 'de' },
  },
  'en-US': {
    period: {
      after: `${enArticles} time menstrual observation refractory latency latent incubation follow postoperative perioperative postpartum neonatal gestational washout study treatment recovery week month day year hour`,
      before: 'of',
      isNoun: true,
    },
    colon: { after: '', before: 'cancer carcinoma polyp polyps wall', isNoun: true, onlyAfter: 'following follows' },
    comma: { after: 'the a', before: 'shaped sign' },
    slash: { after: `${enArticles} deep superficial`, before: 'wound wounds injury' },
    'new line': { after: 'the a an', before: 'of placement placed therapy' },
    'next line': { after: 'the a', before: 'of therapy treatment' },
  },
  'es-ES': {
    punto: {
      after: esArticles,
      before: 'de doloroso gatillo ciego lagrimal hemorragico j isoelectrico fijo aislado',
    },
    'dos puntos': { after: 'los con en entre por de', before: 'de dolorosos gatillo hemorragicos' },
    coma: {
      after: `${esArticles} estado escala entra hacia presenta`,
      before: `
        profundo inducido diabetico hiperosmolar hepatico mixedematoso vigil barbiturico farmacologico etilico
        cetoacidotico neurologico
      `,
      isNoun: true,
    },
    barra: { after: esArticles, before: 'de osea fibrosa metalica' },
  },
};

/** Said before spoken punctuation or a section name, it makes an ordinary word of it; it is not written itself. */
export const escapeWord = 'literal';
