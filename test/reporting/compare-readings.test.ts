/** Two hearings of the same sound: only other facts are a difference, in whatever form they were heard. */
import { expect, it, test } from 'vitest';
import type { Language } from '../../src/contract/shared.ts';
import { compareReadings, findSentencesToCompare } from '../../src/reporting/compare-readings.ts';

const differences = (first: string, second: string, language: Language) =>
  compareReadings(first, second, language).map(({ start, end, text }) => [first.slice(start, end), text]);

it.each<[Language, string, string, [string, string][]]>([
  ['pt-BR', 'nódulo de nove milímetros no lobo superior', 'nódulo de 9 mm no lobo superior', []],
  ['en-US', 'a 9mm hypodensity in the thalamus', 'a 9-millimeter hypodensity in the thalamus', []],
  ['pt-BR', 'há um derrame plenoral à direita hoje', 'há um derrame pleural à direita hoje', []],
  [
    'pt-BR',
    'nódulo de nove milímetros no lobo',
    'nódulo de dezenove milímetros no lobo',
    [['nove milímetros', '19 mm']],
  ],
  ['en-US', 'cyst in the left kidney today', 'cyst in the right kidney today', [['left kidney', 'right kidney']]],
  [
    'es-ES',
    'quiste de 22 milímetros simple',
    'quiste de 22 centímetros simple',
    [['22 milímetros simple', '22 cm simple']],
  ],
  ['en-US', 'there is pleural effusion today', 'there is no pleural effusion today', [['pleural', 'no pleural']]],
  [
    'pt-BR',
    'ponto, vesícula abilhá-se em cálculos, ponto',
    'ponto vesícula biliar sem cálculos ponto',
    [['abilhá-se em cálculos', 'biliar sem cálculos']],
  ],
  [
    'pt-BR',
    'vesícula abilhá-se em cálculos',
    'vizícula biliar sem cálculos',
    [['abilhá-se em cálculos', 'vizícula biliar sem cálculos']],
  ],
  ['en-US', '', 'no effusion', []],
  ['en-US', 'process of T12 is fractured', 'process of T-12 is fractured', []],
  ['pt-BR', 'acha dos dois pontos, ruptura do tendão', 'achados, dois pontos, ruptura do tendão', []],
  ['pt-BR', 'Derrame pleural.', 'Sem derrame pleural.', [['Derrame', 'Sem derrame']]],
  ['en-US', 'Effusion today.', 'Cyst. No effusion today.', [['Effusion', 'No effusion']]],
  ['pt-BR', 'Lesão no rim.', 'Lesão no rim direito.', [['rim', 'rim direito']]],
  ['pt-BR', 'lesão no rim', 'lesão no rim sem', []],
  ['pt-BR', 'exame de março de 2024', 'exame de maio de 2024', [['março de', 'maio de']]],
  ['en-US', 'it may be the left one', 'it might be the left one', []],
  ['es-ES', 'control en 6 meses aquí', 'control en 6 semanas aquí', [['6 meses aquí', '6 semanas aquí']]],
  ['en-US', 'the 3rd left rib', 'the third left rib', []],
  ['en-US', 'the third left rib', 'the fourth left rib', [['third left', 'fourth left']]],
  ['en-US', 'a hypodense left lesion', 'a hyperdense left lesion', [['hypodense left', 'hyperdense left']]],
  ['en-US', 'the left is abnormal today', 'the left is normal today', [['abnormal today', 'normal today']]],
  ['en-US', 'irregular left margins', 'regular left margins', [['irregular left', 'regular left']]],
  ['pt-BR', 'impressão nódulo à direita', 'pressão nódulo à direita', []],
  ['pt-BR', 'lesão maligna aqui', 'lesão benigna aqui', [['maligna aqui', 'benigna aqui']]],
  ['pt-BR', 'um nódulo instável hoje', 'um nódulo estável hoje', [['instável hoje', 'estável hoje']]],
  ['es-ES', 'no duro sólido de 15 mm', 'nódulo sólido de 15 mm', [['no duro sólido', 'nódulo sólido']]],
  ['es-ES', 'no hay derrame aquí', 'hay derrame aquí', []],
  ['es-ES', 'sin adenopatías mediastínicas, punto', 'sin adenopatías medias tínicas, punto', []],
  ['es-ES', 'el talamo derecho de 5 mm', 'el tala moderecho de 5 mm', []],
  ['es-ES', 'el tala moderecho de 5 mm', 'el talamo derecho de 5 mm', [['tala moderecho de', 'talamo derecho de']]],
  ['es-ES', 'un nodulo en la mama derecha', 'un no duelo en la mama derecha', []],
  ['es-ES', 'azgos nodulo y poecóico en la mama', 'házgos no duelo y poecóico en la mama', []],
  ['en-US', 'the mass is on the left', 'the mass is not on the left', [['on', 'not on']]],
  ['en-US', 'now pleural effusion here', 'no pleural effusion here', [['now pleural', 'no pleural']]],
  ['es-ES', 'nos observa derrame', 'no se observa derrame', [['nos observa', 'no se observa']]],
  ['pt-BR', 'há 1 nódulo de 5 mm', 'há um nódulo de 5 mm', []],
  ['pt-BR', 'há 2 nódulos de 5 mm', 'há um nódulo de 5 mm', [['2 nódulos de', 'um nódulo de']]],
  ['en-US', 'it can be seen on the left', "it can't be seen on the left", [['can be', "can't be"]]],
])('%s: “%s” and “%s”', (language, first, second, expected) => {
  expect(differences(first, second, language)).toEqual(expected);
});

test('words that only one hearing has at its ends are those of its cut, unless they belong to the sentence of the other', () => {
  expect(differences('no effusion in the chest', 'left. No effusion in the chest. 12', 'en-US')).toEqual([]);
});

test('sentences end at written and spoken marks; those of a text without any fact or finding are not compared', () => {
  const sentences = (text: string) =>
    findSentencesToCompare(text, 'pt-BR').map(({ start, end }) => text.slice(start, end));
  expect(
    sentences('coração normal ponto não há nódulo. Aorta sem alterações, ponto, protrusão em L4-L5, ponto'),
  ).toEqual(['coração normal', 'não há nódulo', 'Aorta sem alterações', 'protrusão em L4-L5']);
  expect(sentences('coração normal. Aorta normal.')).toEqual([]);
  // Perhaps it was denied.
  expect(sentences('coração normal. Derrame pleural.')).toEqual(['coração normal', 'Derrame pleural']);
});
