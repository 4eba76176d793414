import { describe, expect, it } from 'vitest';
import { punctuate } from '../../../src/domain/dictation/punctuation.ts';

describe('spoken punctuation', () => {
  it.each([
    ['sem derrame ponto', 'sem derrame.'],
    ['limpos vírgula sem derrame ponto e vírgula normal', 'limpos, sem derrame; normal'],
    ['achados dois pontos normais ponto final', 'achados: normais.'],
    ['novo ponto nova linha outro próxima linha fim', 'novo.\noutro\nfim'],
    ['limpos ponto parágrafo impressão', 'limpos.\n\nimpressão'],
    ['nódulo abre parênteses direito fecha parênteses ponto', 'nódulo (direito).'],
    ['L cinco hífen S um', 'L cinco-S um'],
    ['120 barra 80', '120/80'],
    ['VÍRGULA maiúscula VIRGULA sem acento', ', maiúscula, sem acento'],
  ])('pt-BR: %s', (said, written) => expect(punctuate(said, 'pt-BR')).toBe(written));

  it.each([
    ['lungs clear comma no effusion period', 'lungs clear, no effusion.'],
    ['impression colon normal full stop', 'impression: normal.'],
    ['stable question mark new paragraph next', 'stable?\n\nnext'],
    ['open quote stable close quote period', '"stable".'],
  ])('en-US: %s', (said, written) => expect(punctuate(said, 'en-US')).toBe(written));

  it.each([
    ['sin derrame coma sin masas punto y aparte impresión', 'sin derrame, sin masas.\n\nimpresión'],
    ['hallazgos dos puntos normales punto y coma estable punto', 'hallazgos: normales; estable.'],
  ])('es-ES: %s', (said, written) => expect(punctuate(said, 'es-ES')).toBe(written));
});

describe('words that are no punctuation', () => {
  it.each([
    ['pt-BR', 'dor no ponto de McBurney'],
    ['pt-BR', 'sutura com um ponto'],
    ['pt-BR', 'desnível do ponto J'],
    ['pt-BR', 'traço de fratura no rádio'],
    ['pt-BR', 'dois pontos de sutura'],
    ['pt-BR', 'paciente em coma'],
    ['en-US', 'over a period of two weeks'],
    ['en-US', 'last menstrual period unknown'],
    ['en-US', 'stable over the study period. No nodule.'],
    ['en-US', 'the colon is normal'],
    ['en-US', 'stomach, colon, rectum: normal.'],
    ['en-US', 'comma-shaped lesion'],
    ['es-ES', 'paciente en coma'],
    ['es-ES', 'coma hiperosmolar'],
    ['es-ES', 'somnolencia, coma, convulsiones.'],
    ['es-ES', 'dolor en el punto de McBurney'],
  ] as const)('%s: %s', (language, said) => expect(punctuate(said, language)).toBe(said));

  it('leaves a lone "period" of a text that punctuates itself', () => {
    const text = 'Clear lungs. No effusion. Heart: normal. Pain, mild. Window period unknown. Bones, normal.';
    expect(punctuate(text, 'en-US')).toBe(text);
  });

  it('keeps a phrase after "literal" as words', () => {
    expect(punctuate('o termo literal ponto e vírgula ponto', 'pt-BR')).toBe('o termo ponto e vírgula.');
    expect(punctuate('literal value', 'en-US')).toBe('literal value');
  });
});

describe('punctuation that is there already', () => {
  it.each([
    ['pt-BR', 'Limpos, ponto. Impressão, dois pontos, normal, ponto.', 'Limpos. Impressão: normal.'],
    ['pt-BR', 'limpos vírgula, sem derrame', 'limpos, sem derrame'],
    ['pt-BR', 'limpos. Nova linha. Normal', 'limpos.\nNormal'],
    ['en-US', 'Clear, comma, no effusion, period.', 'Clear, no effusion.'],
  ] as const)('%s: %s', (language, said, written) => expect(punctuate(said, language)).toBe(written));
});

describe('numbers', () => {
  it.each([
    ['pt-BR', 'mede três vírgula cinco cm', 'mede 3,5 cm'],
    ['pt-BR', 'cento e vinte e dois vírgula zero cinco', '122,05'],
    ['pt-BR', '12 vírgula 5 mm', '12,5 mm'],
    ['pt-BR', 'vinte e um por cento', '21%'],
    ['pt-BR', '60,5 por cento', '60,5%'],
    ['pt-BR', 'três vírgula cinco dois nódulos', '3,5 dois nódulos'],
    ['pt-BR', 'dois nódulos', 'dois nódulos'],
    ['en-US', 'three point one four cm', '3.14 cm'],
    ['en-US', 'one hundred and two point five', '102.5'],
    ['en-US', 'point tenderness, one point', 'point tenderness, one point'],
    ['es-ES', 'tres coma cinco cm', '3,5 cm'],
    ['es-ES', 'veintitrés coma uno por ciento', '23,1%'],
  ] as const)('%s: %s', (language, said, written) => expect(punctuate(said, language)).toBe(written));
});
