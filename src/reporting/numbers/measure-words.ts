/** The words of numbers with their units, ready to be found. */
import { wordList, wordSet } from '../../domain/fold.ts';
import type { NumberTables } from '../languages/tables.ts';
import { indexPhrases, phraseSet } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import type { FigureStyle } from './figures.ts';
import type { UnitWords } from './units.ts';

export type Connector = 'times' | 'range' | 'and' | 'over' | 'of' | 'marker' | 'slash' | 'comma';

export interface MeasureWords {
  readonly style: FigureStyle;
  readonly units: UnitWords;
  readonly connectors: ReadonlyMap<string, readonly Connector[]>;
  /** "digo", "I mean": between two numbers they share the unit. */
  readonly markers: PhraseIndex<true>;
  readonly halfAfter: PhraseIndex<true>;
  readonly halfAlone: PhraseIndex<true>;
  readonly signs: PhraseIndex<string>;
  readonly superlatives: { readonly articles: ReadonlySet<string>; readonly withNoun: PhraseIndex<true> };
  readonly minus: ReadonlySet<string>;
  readonly notMinusAfter: ReadonlySet<string>;
  readonly minusContexts: ReadonlySet<string>;
  readonly strain: ReadonlySet<string>;
  readonly pressure: ReadonlySet<string>;
  readonly acuity: ReadonlySet<string>;
  readonly sizes: ReadonlySet<string>;
  readonly thousand: ReadonlySet<string>;
  readonly million: ReadonlySet<string>;
  /** "sixty third" is not a number and another. */
  readonly ordinals: ReadonlyMap<string, number>;
  /** "20 mil", not "20.000". */
  readonly keepsThousand: boolean;
}

export function readMeasureWords(
  tables: NumberTables,
  { units, markers, ordinals }: Pick<MeasureWords, 'units' | 'ordinals'> & { readonly markers: string },
): MeasureWords {
  const connectors = new Map<string, Connector[]>();
  for (const kind of ['times', 'range', 'and', 'over', 'of'] as const) {
    for (const word of wordList(tables.connectors[kind])) connectors.set(word, [...(connectors.get(word) ?? []), kind]);
  }
  connectors.set('/', ['slash']);
  connectors.set('×', ['times']);
  return {
    style: {
      decimal: tables.decimal.sign,
      thousands: tables.decimal.sign === ',' ? '.' : ',',
      measuredFrom: tables.measuredFrom,
    },
    units,
    connectors,
    markers: phraseSet(markers),
    halfAfter: phraseSet(tables.half.after),
    halfAlone: phraseSet(tables.half.alone),
    signs: indexPhrases(Object.entries(tables.signs)),
    superlatives: {
      articles: wordSet(tables.superlatives.articles),
      withNoun: phraseSet(tables.superlatives.withNoun),
    },
    minus: wordSet(tables.minus.spoken),
    notMinusAfter: wordSet(tables.minus.notAfter),
    minusContexts: wordSet(tables.minus.contexts),
    strain: wordSet(tables.minus.strain),
    pressure: wordSet(tables.pressure),
    acuity: wordSet(tables.acuity),
    sizes: wordSet(tables.sizes),
    thousand: wordSet(tables.thousand),
    million: wordSet(tables.million),
    ordinals,
    keepsThousand: tables.keepsThousand,
  };
}
