/** What people say to change a document, and what becomes of it. */
import * as fc from '../support/properties.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Section } from '../../src/contract/document.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { instruct } from '../../src/reporting/instructions/instruct.ts';
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
  ['en-US', 'delete the last sentence', [' BI-RADS category 4A.', '']],
  ['en-US', 'change right to left and in the impression too', ['right', 'left'], ['Right', 'Left']],
  ['en-US', 'change nodule to a mass but only in the impression', ['lobe nodule', 'lobe mass']],
  ['en-US', 'change the 6 mm nodule to 8', ['a 6 mm', 'an 8 mm']],
  ['pt-BR', 'troque nódulo por massa e na impressão também', ['Nódulo de', 'Massa de'], ['Nódulo p', 'Massa p']],
  ['pt-BR', 'o nódulo não tem 6 mm, tem 7', ['6 mm', '7 mm']],
  ['pt-BR', '6 não, 7', ['6 mm', '7 mm']],
  ['en-US', 'change 6 to -7', ['6 mm', '-7 mm']],
  ['en-US', 'change 6 mm to less than 7 mm', ['6 mm', '< 7 mm']],
  ['en-US', 'change focal to small, please, thanks a lot', ['focal', 'small']],
  ['es-ES', 'cambie nódulo por masa y en la impresión también', ['Nódulo de', 'Masa de'], ['Nódulo p', 'Masa p']],
  ['es-ES', 'el nódulo no mide 6 sino 7 mm', ['6 mm', '7 mm']],
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

describe('instructions on separate documents', () => {
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
    ['pt-BR', 'faça um café', 'not_understood', true],
    ['pt-BR', '', 'not_understood', true],
    ['pt-BR', 'troque direito', 'not_understood', true],
    ['pt-BR', 'troque superior por superior', 'nothing', false],
    ['en-US', 'remove no', 'negation', true],
    ['en-US', 'replace no pleural effusion with pleural effusion', 'negation', true],
    ['en-US', 'replace right with left', 'several', true],
    ['es-ES', 'cambie derecho por izquierdo', 'several', true],
    ['es-ES', 'borre derrame pleural', 'dangling', true],
    ['en-US', 'change 6 mm to 7 mm no 8 mm', 'unclear', true],
    ['en-US', 'change nodule to mass except in the findings', 'unclear', true],
    ['en-US', 'change nodule to mass and move it to the impression', 'unclear', true],
    ['en-US', 'replace liver with spleen, sorry, kidney', 'unclear', true],
    ['en-US', 'delete mm', 'unit', true],
    ['en-US', 'delete the report', 'unclear', true],
    ['pt-BR', 'apague todo o laudo', 'unclear', true],
    ['en-US', 'delete effusion', 'dangling', true],
    ['en-US', 'change without to with', 'negation', true],
    ['en-US', 'insert left before upper in the findings', 'unclear', true],
    ['en-US', 'it is on the left, not the right', 'several', true],
    ['pt-BR', 'troque 6 mm por 7 mm no exame de hoje', 'unclear', true],
    ['pt-BR', 'nódulo de oito e na impressão também', 'unclear', true],
    ['es-ES', 'borre 6', 'unclear', true],
  ] as const)('%s: %s (%s)', (language, instruction, reason, asks) => {
    const { sections, changes, answer } = instruct(instruction, documents[language], language);
    expect({ sections, changes }).toEqual({ sections: documents[language], changes: [] });
    expect(answer).toMatchObject({ reason, asks });
    expect(answer?.message).not.toMatch(/[{}]/);
  });
});

/** Ways to ask for the last instruction to be undone: [what is said before, verb, object]. */
const undoings: Readonly<Record<Language, readonly [oops: string[], verbs: string[], objects: string[]]>> = {
  'en-US': [
    ['', 'please ', 'no, ', 'wait, ', 'could you please '],
    ['undo', 'take back', 'revert', 'cancel', 'scratch', 'delete', 'forget', 'strike'],
    ['that', 'it', 'the last change', 'my last instruction', 'what I just said', 'that please', 'that, thank you'],
  ],
  'pt-BR': [
    ['', 'por favor ', 'não, ', 'espera, ', 'ops, '],
    ['desfaz', 'desfaça', 'apaga', 'apague', 'cancela', 'anula', 'ignore', 'risca'],
    ['isso', 'isso aí', 'a última alteração', 'a última instrução', 'o que eu falei', 'isso por favor'],
  ],
  'es-ES': [
    ['', 'por favor ', 'no, ', 'espera, ', 'perdón, '],
    ['deshaz', 'deshaga', 'borra', 'borre', 'cancela', 'anula', 'ignora', 'elimina'],
    ['eso', 'esto', 'el último cambio', 'la última instrucción', 'lo que dije', 'eso por favor'],
  ],
};
const undoingsInOneWord: Readonly<Record<Language, readonly string[]>> = {
  'en-US': ['undo', 'go back', 'take that back', 'put it back', 'never mind', 'change it back'],
  'pt-BR': ['desfazer', 'volta atrás', 'volta como estava', 'deixa pra lá', 'desfaça-o'],
  'es-ES': ['deshacer', 'vuelve atrás', 'deshazlo', 'bórralo', 'déjalo como estaba'],
};

describe.each(languages)('undoing in %s', (language) => {
  const after = documents[language];
  const before = after.map((section, at) => (at === 0 ? { ...section, text: 'Before.' } : section));
  const [oops, verbs, objects] = undoings[language];
  const wordings = [
    ...undoingsInOneWord[language],
    ...oops.flatMap((first) => verbs.flatMap((verb) => objects.map((object) => `${first}${verb} ${object}`))),
  ];

  it('takes back the last instruction in any wording, and asks where there was none', () => {
    const deaf = wordings.filter((said) => {
      const done = instruct(said, after, language, { before, after });
      return done.sections[0]?.text !== 'Before.' || done.sections[1] !== after[1] || done.changes.length !== 1;
    });
    expect(deaf).toEqual([]);
    const unasked = wordings.filter((said) => {
      const { changes, answer } = instruct(said, after, language);
      return changes.length > 0 || answer?.asks !== true || !answer.message.includes('?');
    });
    expect(unasked).toEqual([]);
  });

  it('leaves what was edited elsewhere since, and asks where the same section was edited', () => {
    const [said] = undoingsInOneWord[language];
    const edited = (at: number): Section[] => after.map((each, i) => (i === at ? { ...each, text: 'Typed.' } : each));
    const done = instruct(said!, edited(1), language, { before, after });
    expect(done.sections.map(({ text }) => text)).toEqual(['Before.', 'Typed.']);
    expect(instruct(said!, edited(0), language, { before, after })).toMatchObject({
      sections: edited(0),
      changes: [],
      answer: { reason: 'edited_since', asks: true },
    });
  });
});

/** Ways to say that `{b}` comes in the place of `{a}`, and what people say after it. */
const replacing: Readonly<Record<Language, { frames: string[]; tails: string[] }>> = {
  'en-US': {
    frames: [
      'change {a} to {b}',
      'replace {a} with {b}',
      '{b} instead of {a}',
      'nodule {b} instead of {a}',
      'it is {b} and not {a}',
      'the nodule is {b}, not {a}',
      'not {a} but {b}',
      'where it says {a} it should say {b}',
      'the nodule measures {b} rather than {a}',
      'um change {a} to uh {b}',
    ],
    tails: [
      'too',
      'I mean {c}',
      'no {c}',
      'and read it back',
      'except there',
      'or so',
      'in the other exam',
      'as before',
    ],
  },
  'pt-BR': {
    frames: [
      'troque {a} por {b}',
      'substitua {a} por {b}',
      '{b} em vez de {a}',
      'nódulo de {b} em vez de {a}',
      'o nódulo tem {b} e não {a}',
      'não é {a}, é {b}',
      'o nódulo não mede {a}, mede {b}',
      'onde se lê {a} leia-se {b}',
      'coloque {b} no lugar de {a}',
    ],
    tails: [
      'também',
      'digo {c}',
      'não {c}',
      'e leia de novo',
      'menos ali',
      'mais ou menos',
      'no outro exame',
      'como antes',
    ],
  },
  'es-ES': {
    frames: [
      'cambie {a} por {b}',
      'sustituya {a} por {b}',
      '{b} en vez de {a}',
      'nódulo de {b} en lugar de {a}',
      'el nódulo mide {b} y no {a}',
      'no es {a}, es {b}',
      'el nódulo no mide {a} sino {b}',
      'donde dice {a} debe decir {b}',
    ],
    tails: [
      'también',
      'digo {c}',
      'no {c}',
      'y léelo otra vez',
      'excepto allí',
      'más o menos',
      'en el otro estudio',
      'como antes',
    ],
  },
};

describe.each(languages)('a measure is exchanged whole or not at all in %s', (language) => {
  const { frames, tails } = replacing[language];
  const sign = language === 'en-US' ? '.' : ',';
  const text = (measure: string): string =>
    ({
      'en-US': `Nodule of ${measure} in the right upper lobe. No effusion.`,
      'pt-BR': `Nódulo de ${measure} no lobo superior direito. Sem derrame.`,
      'es-ES': `Nódulo de ${measure} en el lóbulo superior derecho. Sin derrame.`,
    })[language];
  const number = fc
    .integer({ min: 11, max: 99 })
    .map((tenths) => `${Math.floor(tenths / 10)}${sign}${tenths % 10 || 5}`);
  const units = fc.constantFrom('', ' mm', ' cm');
  const instruction = fc.record({
    frame: fc.constantFrom(...frames),
    numbers: fc.uniqueArray(number, { minLength: 3, maxLength: 3 }),
    written: fc.constantFrom('mm', 'cm'),
    isOldWhole: fc.boolean(),
    unit: units,
    tail: fc.option(fc.constantFrom(...tails), { nil: '' }),
  });

  it('keeps its unit, and takes no word of the instruction in', () =>
    fc.assert(
      fc.property(instruction, ({ frame, numbers: [a, b, c], written, isOldWhole, unit, tail }) => {
        const sections = [{ key: 'findings', title: 'F', text: text(`${a} ${written}`) }];
        const said = `${frame} ${tail}`
          .replace('{a}', isOldWhole ? `${a} ${written}` : a!)
          .replace('{b}', `${b}${unit}`)
          .replace('{c}', `${c} mm`);
        const wanted = text(`${b} ${unit.trim() || written}`);
        const after = instruct(said.trim(), sections, language).sections[0]?.text;
        expect(tail === '' ? [wanted] : [wanted, sections[0]!.text], said).toContain(after);
      }),
      { numRuns: 8 * runs },
    ));
});

it('creates a missing section in its usual place', () => {
  const { sections, changes } = instruct('acrescente retorno. Trazer exames. à técnica', documents['pt-BR'], 'pt-BR');
  expect(sections[0]).toEqual({ key: 'technique', title: 'Técnica', text: 'Retorno. Trazer exames.' });
  expect(changes).toEqual([{ section: 'technique', before: null, after: 'Retorno. Trazer exames.' }]);
});

it('reads "A por B" with as many words of the document as there are', () => {
  const sections = [{ key: 'findings', title: 'Achados', text: 'Aumento por edema.' }];
  expect(instruct('troque aumento por edema por redução', sections, 'pt-BR').sections[0]?.text).toBe('Redução.');
});

describe.each(languages)('whatever is spoken in %s', (language) => {
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
