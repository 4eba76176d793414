/** Vocabulary: what gives way to a word, what never does, with how much work, and which words are expected. */
import { describe, expect, test } from 'vitest';
import type { Language } from '../../../src/contract/shared.ts';
import { chooseTerms } from '../../../src/reporting/vocabulary/expected-terms.ts';
import { undo } from '../../../src/reporting/versions/undo.ts';
import { findRules } from '../../../src/reporting/rules.ts';
import { writeTerms } from '../../../src/reporting/steps/vocabulary.ts';
import { tokenise } from '../../../src/reporting/words/token.ts';
import { indexVocabulary, termsIn } from '../../../src/reporting/vocabulary/vocabulary.ts';
import type { KeptTerm, Term } from '../../../src/reporting/vocabulary/vocabulary.ts';
import { write } from '../../../src/reporting/write.ts';
import { countedWork } from '../../support/counted-work.ts';
import { sections, written } from '../written.ts';

const term = (word: string, ...forms: string[]): Term => ({ write: word, for: forms });
const heard = (text: string, language: Language, terms: readonly Term[], isHeard = true): string =>
  written(text, language, { vocabulary: { terms, isHeard } });

describe('a recognised word gives way to a word of the vocabulary', () => {
  test.each<[what: string, Language, said: string, expected: string, ...Term[]]>([
    [
      'that names it',
      'pt-BR',
      'dor no ponto de mac burney',
      'Dor no ponto de McBurney',
      term('McBurney', 'mac burney'),
    ],
    ['in any case', 'en-US', 'Pain at MAC-Burney point', 'Pain at McBurney point', term('McBurney', 'mac burney')],
    ['the longest one', 'pt-BR', 'bosnia e c', 'Y', term('X', 'bosnia'), term('Y', 'bosnia e c')],
    ['the first one', 'pt-BR', 'bosnia', 'Bosniak', term('Bosniak', 'bosnia'), term('Bósnia', 'bosnia')],
    ['that is spelt so', 'pt-BR', 'doença de castleman', 'Doença de Castleman', term('Castleman')],
    ['that sounds so', 'pt-BR', 'tumor de clatskin', 'Tumor de Klatskin', term('Klatskin')],
    ['that sounds so', 'es-ES', 'tumor de clatsquin', 'Tumor de Klatskin', term('Klatskin')],
    ['that sounds so', 'es-ES', 'enfermedad de chagaz gelves', 'Enfermedad de Chagas Gelbes', term('Chagas Gelbes')],
    ['that sounds so', 'en-US', 'a clatskin tumor', 'A Klatskin tumor', term('Klatskin')],
    ['that sounds so', 'en-US', 'seen after fosphenitoin', 'Seen after phosphenytoin', term('phosphenytoin')],
    ['that sounds so', 'pt-BR', 'hospital mendonssa', 'Hospital Mendonça', term('Mendonça')],
    ['with another letter', 'pt-BR', 'doença de castelman', 'Doença de Castleman', term('Castleman')],
    ['with a letter less', 'en-US', 'given gadbutrol', 'Given gadobutrol', term('gadobutrol')],
    ['in two pieces', 'pt-BR', 'tumor de clat skin à direita', 'Tumor de Klatskin à direita', term('Klatskin')],
    ['with ordinary words', 'pt-BR', 'sinais de hidro nefrose', 'Sinais de hidronefrose', term('hidronefrose')],
    ['before a category', 'pt-BR', 'cisto bosnia dois', 'Cisto Bosniak II', term('Bosniak', 'bosnia')],
    [
      'that names a section',
      'pt-BR',
      'Xis. concruzão: normal',
      'Xis. [impression] Normal',
      term('conclusão', 'concruzão'),
    ],
  ])('%s (%s): %s', (_what, language, said, expected, ...terms) => {
    expect(heard(said, language, terms)).toBe(`${expected}.`);
  });
});

test('a vocabulary leaves the commands that take words back', () => {
  const said = 'Zero. Desconsiderar a última frase. Uma frase a mais.';
  expect(heard(said, 'pt-BR', [term('á', 'a'), term('Frase', 'frase')])).toBe('Uma Frase á mais.');
});

test('vocabulary text does not undo spoken words', () => {
  const said = 'Two millimeters. Study right, notice left.';
  const terms = [term('scratch that', 'study'), term('correction', 'notice')];
  expect(heard(said, 'en-US', terms)).toBe('2 mm. Scratch that right, correction left.');
});

describe('words stay as they were said', () => {
  test.each<[what: string, Language, said: string, ...Term[]]>([
    ['a number', 'pt-BR', 'Há dois.', term('doze', 'dois')],
    ['a decimal', 'en-US', 'Mass of 3.2 cm.', term('spot', 'point'), term('2.3', '3.2')],
    ['a side', 'pt-BR', 'Rim direito.', term('esquerdo', 'direito'), term('direitto')],
    ['a side that would come', 'pt-BR', 'Rim da praia.', term('direito', 'da praia')],
    ['a negation', 'es-ES', 'Sin derrame.', term('con', 'sin'), term('sín derrame')],
    ['a negation that would come', 'pt-BR', 'Cem por cento.', term('sem', 'cem')],
    ['a unit', 'pt-BR', 'Mede 3 mm.', term('cm', 'mm'), term('cm', 'milímetros')],
    ['a place', 'en-US', 'Upper lobe.', term('lower', 'upper')],
    ['a level', 'en-US', 'At L4.', term('C4', 'L4')],
    ['a word of the tables', 'pt-BR', 'Nódulo hepático.', term('Nodulus'), term('epático')],
    ['an inflection', 'pt-BR', 'Dois gadovistas.', term('gadovista')],
    ['an opposite', 'en-US', 'Hypoechogenicity.', term('hyperechogenicity')],
    ['an opposite by one letter', 'en-US', 'Intermalleolar.', term('intramalleolar')],
    ['another ending', 'pt-BR', 'Espondiloartrite.', term('espondiloartrose')],
    ['a denial in the word', 'en-US', 'Acalcemic.', term('calcemic')],
    ['a short word', 'pt-BR', 'Lesão roxa.', term('Rocha')],
    ['a word of the vocabulary', 'pt-BR', 'Castelmann.', term('Castelmann'), term('Kastelman')],
    ['what could be two', 'pt-BR', 'Gadobutlol.', term('Gadobutrol'), term('Gadobutnol')],
    ['over the end of a sentence', 'pt-BR', 'Clat. Skin.', term('Klatskin', 'clat skin')],
    ['over a comma', 'pt-BR', 'Clat, skin.', term('Klatskin', 'clat skin')],
    ['a known word in a name', 'en-US', 'Heart normal.', term('Normal')],
  ])('%s (%s): %s', (_what, language, said, ...terms) => {
    expect(heard(said, language, terms)).toBe(written(said, language));
  });

  test('where somebody typed them, but for what a term names', () => {
    const terms = [term('Gadovist'), term('McBurney', 'mac burney')];
    expect(heard('Gadovizt, gadovist, mac burney.', 'pt-BR', terms, false)).toBe('Gadovizt, gadovist, McBurney.');
  });
});

test('each correction names its rule and its place, and can be undone alone', () => {
  const text = 'tumor de clatskin no ponto de mac burney';
  const vocabulary = { terms: [term('Klatskin'), term('McBurney', 'mac burney')], isHeard: true };
  const made = write({ heard: { text }, language: 'pt-BR', sections, vocabulary });
  const operations = made.provenance.operations.map(({ id, before, after }) => ({ id, before, after }));
  expect(operations).toEqual([
    { id: 'vocabulary.alike@9-17', before: 'clatskin', after: 'Klatskin' },
    { id: 'vocabulary.form@30-40', before: 'mac burney', after: 'McBurney' },
  ]);
  const back = undo(made, 'vocabulary.form@30-40', text);
  expect(back).toMatchObject({
    sections: expect.arrayContaining([
      expect.objectContaining({ key: 'findings', text: 'Tumor de Klatskin no ponto de mac burney.' }),
    ]),
  });
  const without = write({
    heard: { text },
    language: 'pt-BR',
    sections,
    vocabulary,
    without: ['vocabulary.alike@9-17'],
  });
  expect(without.sections.find(({ key }) => key === 'findings')!.text).toBe('Tumor de clatskin no ponto de McBurney.');
});

test('the person’s words go before the space’s, and those of the language before those of every one', () => {
  const kept = (word: string, owner: KeptTerm['owner'], language: KeptTerm['language']): KeptTerm => ({
    ...term(word),
    owner,
    language,
  });
  const all = [
    kept('space any', 'space', null),
    kept('space pt', 'space', 'pt-BR'),
    kept('own any', 'person', null),
    kept('own pt', 'person', 'pt-BR'),
    kept('own en', 'person', 'en-US'),
  ];
  expect(termsIn('pt-BR', all).map((each) => each.write)).toEqual(['own pt', 'own any', 'space pt', 'space any']);
});

/** Texts and words that make a search compare much. */
describe('two thousand words, whatever they are, are written with work that grows with the text alone', () => {
  const alikes = Array.from({ length: 2000 }, (_, at) => term(`zzkrtpqwab${at.toString(36).padStart(3, 'q')}`));
  const forms = Array.from({ length: 2000 }, (_, at) => term(`word ${at}`, `a a a a a a a b${at}`));
  test.each<[string, string, readonly Term[]]>([
    ['many words that are nearly alike', 'zzkrtpqwabqqz ', alikes],
    ['many forms that begin alike', 'a a a a a a a b ', forms],
    ['many short words', 'xq zk ', alikes],
    ['one sentence of corrections', 'zzkrtpqwabqq1 sem 3 mm ', [term('Zzk', 'zzkrtpqwabqq1')]],
  ])('%s', (_what, piece, terms) => {
    const index = indexVocabulary(terms, 'pt-BR');
    const rules = findRules('pt-BR');
    const work = (length: number): number => {
      const tokens = tokenise(piece.repeat(length / piece.length));
      return countedWork(() => void writeTerms(tokens, { index, rules, isHeard: true }));
    };
    work(500);
    // Eight times the text: quadratic work would be 64 times as much.
    expect(work(8000) / work(1000)).toBeLessThan(10);
  });
});

describe('the words that a recogniser is primed with', () => {
  const known = {
    exam: ['Colangiorressonância'],
    texts: ['Vias biliares de calibre normal.'],
    recent: [],
    patient: '',
  };

  test('are ten at most: of the exam, of the template, of documents of late, and the newest', () => {
    const newest = Array.from({ length: 20 }, (_, at) => `Novo ${at}`);
    const terms = [...newest, 'Klatskin', 'biliares', 'colangiorressonância'];
    const recent = ['Tumor de Klatskin.', 'Sem Klatskin.'];
    expect(chooseTerms(terms, { ...known, recent })).toEqual([
      'colangiorressonância',
      'biliares',
      'Klatskin',
      ...newest.slice(0, 7),
    ]);
  });

  test('never hold a word of the patient’s name', () => {
    expect(chooseTerms(['Souza', 'doença de Souza', 'Klatskin'], { ...known, patient: 'SOUZA MARIA' })).toEqual([
      'Klatskin',
    ]);
  });
});
