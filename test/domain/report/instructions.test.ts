/** What people say to change a document, and what becomes of it. */
import * as fc from '../../support/properties.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Section } from '../../../src/contract/document.ts';
import { languages } from '../../../src/contract/shared.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { instruct } from '../../../src/domain/report/instructions/instruct.ts';
import { dictation, runs } from './generated.ts';

const documents: Readonly<Record<Language, readonly Section[]>> = {
  'pt-BR': [
    {
      key: 'findings',
      title: 'Achados',
      text: 'Nódulo de 6 mm no lobo superior direito. Sem derrame pleural. Fígado normal, sem lesões focais. BI-RADS 4A.',
    },
    { key: 'impression', title: 'Impressão', text: 'Nódulo pulmonar à direita.' },
  ],
  'en-US': [
    {
      key: 'findings',
      title: 'Findings',
      text: 'There is a 6 mm nodule in the right upper lobe. No pleural effusion. The liver is normal, without focal lesions.',
    },
    { key: 'impression', title: 'Impression', text: 'Right upper lobe nodule. BI-RADS category 4A.' },
  ],
  'es-ES': [
    {
      key: 'findings',
      title: 'Hallazgos',
      text: 'Nódulo de 6 mm en el lóbulo superior derecho. Sin derrame pleural. Hígado normal, sin lesiones focales.',
    },
    { key: 'impression', title: 'Impresión', text: 'Nódulo pulmonar derecho.' },
  ],
};

/** Pieces of the texts that change: before → after, in any section. */
type Change = readonly [before: string, after: string];
type Case = readonly [language: Language, instruction: string, ...changes: Change[]];

const cases: readonly Case[] = [
  ['pt-BR', 'troque seis milímetros por oito milímetros', ['6 mm', '8 mm']],
  ['pt-BR', 'por favor, troque seis por oito', ['6 mm', '8 mm']],
  ['pt-BR', 'mude o tamanho do nódulo para oito milímetros', ['6 mm', '8 mm']],
  ['pt-BR', 'altere a medida para um centímetro', ['6 mm', '1 cm']],
  ['pt-BR', 'troque o nódulo para oito milímetros nos achados', ['6 mm', '8 mm']],
  ['pt-BR', 'o nódulo mede oito milímetros', ['6 mm', '8 mm']],
  ['pt-BR', 'troque milímetros por centímetros', ['6 mm', '6 cm']],
  ['pt-BR', 'o birads é três', ['4A', '3']],
  ['pt-BR', 'altere a categoria para birads três', ['4A', '3']],
  ['pt-BR', 'na impressão o nódulo é à esquerda', ['à direita', 'à esquerda']],
  ['pt-BR', 'substitua nódulo por massa em todo o laudo', ['Nódulo de', 'Massa de'], ['Nódulo p', 'Massa p']],
  ['pt-BR', 'no lugar de superior coloque inferior', ['superior', 'inferior']],
  ['pt-BR', 'troque seis milímetros por nove milímetros e quatro a por três', ['6 mm', '9 mm'], ['4A', '3']],
  [
    'pt-BR',
    'depois de sem derrame pleural acrescente a frase sem pneumotórax',
    ['pleural.', 'pleural. Sem pneumotórax.'],
  ],
  ['pt-BR', 'adicione a frase adrenais normais no final dos achados', ['4A.', '4A. Adrenais normais.']],
  ['pt-BR', 'a segunda frase dos achados deve ser pequeno derrame', ['Sem derrame pleural', 'Pequeno derrame']],
  [
    'pt-BR',
    'substitua a frase do fígado por fígado com esteatose',
    ['Fígado normal, sem lesões focais', 'Fígado com esteatose'],
  ],
  ['en-US', 'change the nodule size to eight millimeters', ['a 6 mm', 'an 8 mm']],
  ['en-US', 'make it eight millimeters', ['a 6 mm', 'an 8 mm']],
  ['en-US', 'change nodule to mass throughout', ['nodule in', 'mass in'], ['lobe nodule', 'lobe mass']],
  ['es-ES', 'el nódulo mide ocho milímetros', ['6 mm', '8 mm']],
  ['es-ES', 'en lugar de superior ponga inferior', ['superior', 'inferior']],
  ['pt-BR', 'apague sem derrame pleural', [' Sem derrame pleural.', '']],
  ['pt-BR', 'remova sem lesões focais', [', sem lesões focais', '']],
  [
    'pt-BR',
    'troque direito por esquerdo nos achados e na impressão',
    ['direito', 'esquerdo'],
    ['à direita', 'à esquerda'],
  ],
  ['pt-BR', 'mude o lado para esquerdo na impressão', ['à direita', 'à esquerda']],
  ['pt-BR', 'acrescente controle em seis meses à impressão', ['à direita.', 'à direita. Controle em 6 meses.']],
  ['pt-BR', 'acrescente à impressão controle em seis meses ponto', ['à direita.', 'à direita. Controle em 6 meses.']],
  ['pt-BR', 'na impressão, acrescente sugere-se biópsia', ['à direita.', 'à direita. Sugere-se biópsia.']],
  [
    'pt-BR',
    'no início da impressão acrescente achados estáveis',
    ['Nódulo pulmonar', 'Achados estáveis. Nódulo pulmonar'],
  ],
  ['pt-BR', 'apague a última frase dos achados', [' BI-RADS 4A.', '']],
  ['pt-BR', 'apague a segunda frase dos achados', [' Sem derrame pleural.', '']],
  ['pt-BR', 'apague a frase sobre o fígado', [' Fígado normal, sem lesões focais.', '']],
  ['pt-BR', 'substitua a impressão por exame normal', ['Nódulo pulmonar à direita.', 'Exame normal.']],
  ['pt-BR', 'a impressão deve ser exame normal', ['Nódulo pulmonar à direita.', 'Exame normal.']],
  ['pt-BR', 'apague a impressão', ['Nódulo pulmonar à direita.', '']],
  ['pt-BR', 'mude o birads para três', ['4A', '3']],
  ['pt-BR', 'mude para birads quatro b', ['4A', '4B']],
  ['pt-BR', 'onde se lê superior leia-se inferior', ['superior', 'inferior']],
  ['pt-BR', 'acrescente sólido depois de nódulo nos achados', ['Nódulo de', 'Nódulo sólido de']],
  ['pt-BR', 'esquerdo em vez de direito nos achados', ['direito', 'esquerdo']],
  ['pt-BR', 'troque todas as ocorrências de nódulo por massa', ['Nódulo de', 'Massa de'], ['Nódulo p', 'Massa p']],
  [
    'pt-BR',
    'troque superior por inferior e acrescente biópsia à impressão',
    ['superior', 'inferior'],
    ['à direita.', 'à direita. Biópsia.'],
  ],
  [
    'pt-BR',
    'troque sem derrame pleural por pequeno derrame pleural à direita',
    ['Sem derrame pleural', 'Pequeno derrame pleural à direita'],
  ],
  ['en-US', 'replace six millimeters with eight millimeters', ['a 6 mm', 'an 8 mm']],
  ['en-US', 'please change six to seven', ['6 mm', '7 mm']],
  ['en-US', 'change the size of the nodule to seven millimeters', ['6 mm', '7 mm']],
  ['en-US', 'delete no pleural effusion', [' No pleural effusion.', '']],
  ['en-US', 'replace right with left in the findings and impression', ['right', 'left'], ['Right', 'Left']],
  ['en-US', 'change the side to left in the impression', ['Right', 'Left']],
  ['en-US', 'add follow up in six months to the impression', ['4A.', '4A. Follow up in 6 months.']],
  ['en-US', 'in the impression add biopsy is recommended', ['4A.', '4A. Biopsy is recommended.']],
  ['en-US', 'delete the second sentence of the findings', [' No pleural effusion.', '']],
  ['en-US', 'delete the sentence about the liver', [' The liver is normal, without focal lesions.', '']],
  [
    'en-US',
    'the impression should read normal examination',
    ['Right upper lobe nodule. BI-RADS category 4A.', 'Normal examination.'],
  ],
  ['en-US', 'change the birads to three', ['4A', '3']],
  ['en-US', 'change birads category to three', ['4A', '3']],
  ['en-US', 'insert spiculated before nodule in the findings', ['mm nodule', 'mm spiculated nodule']],
  ['en-US', 'change upper lobe to lower lobe in the findings', ['upper', 'lower']],
  [
    'en-US',
    'replace nodule with mass in the findings and impression. Add biopsy to the impression.',
    ['nodule in', 'mass in'],
    ['nodule. B', 'mass. B'],
    ['4A.', '4A. Biopsy.'],
  ],
  ['en-US', 'scratch that', [' BI-RADS category 4A.', '']],
  ['es-ES', 'cambie seis milímetros por ocho milímetros', ['6 mm', '8 mm']],
  [
    'es-ES',
    'cambie derecho por izquierdo en los hallazgos y en la impresión',
    ['derecho. S', 'izquierdo. S'],
    ['r derecho', 'r izquierdo'],
  ],
  [
    'es-ES',
    'agregue control en seis meses a la impresión',
    ['pulmonar derecho.', 'pulmonar derecho. Control en 6 meses.'],
  ],
  ['es-ES', 'elimine la frase sobre el hígado', [' Hígado normal, sin lesiones focales.', '']],
  ['es-ES', 'donde dice superior debe decir inferior', ['superior', 'inferior']],
  ['es-ES', 'la impresión debe decir estudio normal', ['Nódulo pulmonar derecho.', 'Estudio normal.']],
];

describe('instructions that are carried out', () => {
  it.each(cases.map(([language, instruction, ...changes]) => ({ language, instruction, changes })))(
    '$language: $instruction',
    ({ language, instruction, changes }) => {
      const joined = (sections: readonly Section[]): string => sections.map(({ text }) => text).join('\n');
      const wanted = changes.reduce((text, [before, after]) => {
        expect(text).toContain(before);
        return text.replace(before, after);
      }, joined(documents[language]));
      expect(joined(instruct(instruction, documents[language], language).sections)).toBe(wanted);
    },
  );
});

describe('instructions on documents of their own', () => {
  const file = new URL('changes.json', import.meta.url);
  type Texts = Readonly<Record<string, string>>;
  const rows = JSON.parse(readFileSync(file, 'utf8')) as [Language, string, Texts, Texts][];
  it.each(rows)('%s: %s', (language, instruction, before, changed) => {
    const sections = Object.entries(before).map(([key, text]) => ({ key, title: key, text }));
    const after = instruct(instruction, sections, language).sections;
    expect(Object.fromEntries(after.map(({ key, text }) => [key, text]))).toEqual({ ...before, ...changed });
  });
});

describe('instructions that change nothing', () => {
  it.each([
    ['pt-BR', 'troque direito por esquerdo', 'several', true],
    ['pt-BR', 'remova sem', 'several', true],
    ['pt-BR', 'apague derrame pleural', 'dangling', true],
    ['pt-BR', 'troque sem derrame por derrame', 'negation', true],
    ['pt-BR', 'acrescente controle', 'which_section', true],
    ['pt-BR', 'troque superior por inferior nos achados e xyz por abc na impressão', 'not_found', false],
    ['pt-BR', 'o nódulo é à esquerda', 'several', true],
    ['es-ES', 'ponlo izquierdo', 'several', true],
    ['pt-BR', 'troque nódulo por massa e apague a última frase', 'several', true],
    ['pt-BR', 'troque superior por inferior e troque xyz por abc', 'not_found', false],
    ['pt-BR', 'troque xyz por abc', 'not_found', false],
    ['pt-BR', 'faça um café', 'not_understood', false],
    ['pt-BR', '', 'not_understood', false],
    ['pt-BR', 'troque direito', 'not_understood', false],
    ['pt-BR', 'troque superior por superior', 'nothing', false],
    ['en-US', 'remove no', 'negation', true],
    ['en-US', 'replace no pleural effusion with pleural effusion', 'negation', true],
    ['en-US', 'replace right with left', 'several', true],
    ['es-ES', 'cambie derecho por izquierdo', 'several', true],
    ['es-ES', 'borre derrame pleural', 'dangling', true],
  ] as const)('%s: %s (%s)', (language, instruction, reason, asks) => {
    const { sections, changes, answer } = instruct(instruction, documents[language], language);
    expect({ sections, changes }).toEqual({ sections: documents[language], changes: [] });
    expect(answer).toMatchObject({ reason, asks });
    expect(answer?.message).not.toMatch(/[{}]/);
  });

  it('take back the last change, where there was one', () => {
    const [findings, ...others] = documents['pt-BR'];
    const former = [{ ...findings!, text: 'Antes.' }, ...others];
    expect(instruct('desfazer', documents['pt-BR'], 'pt-BR', former)).toMatchObject({
      sections: former,
      changes: [{ section: findings!.key, before: findings!.text, after: 'Antes.' }],
      answer: null,
    });
    expect(instruct('undo the last change', documents['en-US'], 'en-US')).toMatchObject({
      sections: documents['en-US'],
      changes: [],
      answer: { reason: 'nothing_to_undo', asks: false },
    });
  });
});

it('makes a section that is not there yet, where such sections stand', () => {
  const { sections, changes } = instruct('acrescente retorno. Trazer exames. à técnica', documents['pt-BR'], 'pt-BR');
  expect(sections[0]).toEqual({ key: 'technique', title: 'Técnica', text: 'Retorno. Trazer exames.' });
  expect(changes).toEqual([{ section: 'technique', before: null, after: 'Retorno. Trazer exames.' }]);
});

it('reads "A por B" with as many words of the document as there are', () => {
  const sections = [{ key: 'findings', title: 'Achados', text: 'Aumento por edema.' }];
  expect(instruct('troque aumento por edema por redução', sections, 'pt-BR').sections[0]?.text).toBe('Redução.');
});

describe.each(languages)('whatever is said in %s', (language) => {
  it('changes the document only with words of the instruction, or says why it does not', () =>
    fc.assert(
      fc.property(dictation(language), (instruction) => {
        const { sections, changes, answer } = instruct(instruction, documents[language], language);
        expect(changes.length > 0).toBe(answer === null);
        if (changes.length === 0) expect(sections).toEqual(documents[language]);
      }),
      { numRuns: runs },
    ));
});
