/** Macros: how they are called in each language, whose goes first, fields and how they are filled in, hostile names and texts. */
import * as fc from '../support/properties.ts';
import { describe, expect, it, test } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { instruct } from '../../src/reporting/instructions/instruct.ts';
import { fieldsIn, macroKey, macrosIn } from '../../src/reporting/vocabulary/macros.ts';
import type { KeptMacro, Macro } from '../../src/reporting/vocabulary/macros.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { write } from '../../src/reporting/write.ts';
import { dictation, runs } from './generated.ts';
import { sections, written } from './written.ts';

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];

describe('a dictation calls a macro', () => {
  const names: Readonly<Record<Language, string>> = {
    'pt-BR': 'tórax normal',
    'en-US': 'normal chest',
    'es-ES': 'tórax normal',
  };
  test.each<[Language, string]>([
    ['pt-BR', 'tórax normal'],
    ['pt-BR', 'inserir tórax normal ponto'],
    ['pt-BR', 'Insira o tórax normal.'],
    ['pt-BR', 'usar a macro tórax normal'],
    ['pt-BR', 'achados dois pontos tórax normal ponto'],
    ['pt-BR', 'Achados: inserir autotexto tórax normal.'],
    ['pt-BR', 'Achados tórax normal.'],
    ['en-US', 'normal chest'],
    ['en-US', 'insert normal chest period'],
    ['en-US', 'Insert the normal chest macro.'],
    ['en-US', 'use macro normal chest'],
    ['en-US', 'findings colon normal chest period'],
    ['en-US', '**Findings:** insert normal chest.'],
    ['es-ES', 'tórax normal punto'],
    ['es-ES', 'insertar tórax normal'],
    ['es-ES', 'Inserte el tórax normal.'],
    ['es-ES', 'Hallazgos: usar macro tórax normal.'],
  ])('%s: %s', (language, heard) => {
    const macros = [{ name: names[language], text: 'The text.' }];
    expect(written(heard, language, { macros })).toBe('The text.');
  });

  const macros: Macro[] = [
    { name: 'tórax', text: 'CURTO.' },
    { name: 'tórax normal', text: 'LONGO.' },
    { name: 'tórax normal 2', text: 'DOIS.' },
    { name: 'conclusão normal', text: 'CONCLUSÃO.', section: 'impression' },
    { name: 'medida 1,5 (a+b)*', text: 'REGEX.' },
    { name: 'de outra seção', text: 'OUTRA.', section: 'no_such_section' },
    ...['normal', 'não', 'sem', 'direito', '2'].map((name) => ({ name, text: 'NEVER.' })),
  ];
  test.each([
    ['the longest name', 'Tórax normal 2.', 'DOIS.'],
    ['a number in words', 'tórax normal dois ponto', 'DOIS.'],
    ['the name of a section in a name', 'Achados: ritmo. Conclusão normal.', 'Ritmo. [impression] CONCLUSÃO.'],
    ['signs in a name', 'Medida 1,5 a b.', 'REGEX.'],
    ['a section that the document does not have', 'Impressão: de outra seção.', '[impression] OUTRA.'],
    ['a name of one word after a caller', 'Inserir normal.', 'NEVER.'],
    ['no name of one word', 'Normal. Não. Sem. Direito. Tórax.', 'Normal. Não. Sem. Direito. Tórax.'],
    ['no words in a sentence', 'O tórax normal da paciente.', 'O tórax normal da paciente.'],
    ['no value after a colon', 'Baço: tórax normal.', 'Baço: tórax normal.'],
    ['no longer sentence', 'Inserir tórax normal sem derrame.', 'Inserir tórax normal sem derrame.'],
  ])('by %s', (_how, heard, wanted) => expect(written(heard, 'pt-BR', { macros })).toBe(wanted));

  it('by the first of two with the same words', () => {
    const twice = [
      { name: 'a b', text: 'First.' },
      { name: 'A-B', text: 'Second.' },
    ];
    expect(written('a b.', 'en-US', { macros: twice })).toBe('First.');
  });
});

test.each([
  ['insert normal ches.', true],
  ['Normal ches.', true],
  ['Normal chests.', false],
  ['Normal heart.', false],
  ['insert normal chests.', true],
  ['insert normal chest.', false],
  ['insert a drain in the chest.', false],
])('a call of a name that was nearly said is asked about: %s %s', (text, asks) => {
  const macros = [{ name: 'normal chest', text: 'The chest is normal.' }];
  const sections = [{ key: 'findings', title: 'Findings' }];
  const { questions } = write({ heard: { text }, language: 'en-US', sections, macros });
  expect(questions.some(({ rule }) => rule === 'macro')).toBe(asks);
});

describe('insert normals', () => {
  const macros = [
    { name: 'normal liver', text: 'The liver is normal.', section: 'findings', normal: true },
    { name: 'normal spleen', text: 'The spleen is normal.', section: 'findings', normal: true },
    { name: 'liver technique', text: 'Axial images.', section: 'technique' },
  ];
  const sections = ['technique', 'findings', 'impression'].map((key) => ({ key, title: key }));
  it.each([
    ['en-US', 'Insert normals. Impression: normal study.', 'The liver is normal. The spleen is normal.', false],
    ['pt-BR', 'inserir normais ponto impressão normal ponto', 'The liver is normal. The spleen is normal.', false],
    ['es-ES', 'Insertar normales. Impresión: normal.', 'The liver is normal. The spleen is normal.', false],
    ['en-US', 'Findings: cyst in the liver. Insert normals. Impression: cyst.', 'Cyst in the liver.', true],
    ['en-US', 'Findings: normals are inserted.', 'Normals are inserted.', false],
  ] as const)('%s: %s', (language, text, wanted, asks) => {
    const report = write({ heard: { text }, language, sections, macros });
    expect(report.sections.find(({ key }) => key === 'findings')?.text).toBe(wanted);
    const found = prepareChecks({ language, template: sections, heard: { text }, macros })(
      report.sections,
      report.provenance,
    );
    // Once, although two texts were left out.
    expect(found.filter(({ kind }) => kind === 'unclear').length).toBe(asks ? 1 : 0);
  });

  it('calls a macro of that name, if there is one', () => {
    const named = [...macros, { name: 'normals', owner: 'person' as const, text: 'My own.' }];
    const report = write({ heard: { text: 'Findings: insert normals.' }, language: 'en-US', sections, macros: named });
    expect(report.sections.find(({ key }) => key === 'findings')?.text).toBe('My own.');
  });
});

test('macros are looked for in order: the person’s, the space’s, the template’s; a language before every language', () => {
  const kept = (text: string, of: Partial<KeptMacro>): KeptMacro => ({
    name: 'a b',
    text,
    owner: 'person',
    section: null,
    language: null,
    ...of,
  });
  const all = [
    kept('space, any', { owner: 'space' }),
    kept('person, any', {}),
    kept('space, Portuguese', { owner: 'space', language: 'pt-BR' }),
    kept('person, Portuguese', { language: 'pt-BR', section: 'findings' }),
    kept('person, English', { language: 'en-US' }),
  ];
  expect(macrosIn('pt-BR', all, [{ name: 'a b', text: 'template' }]).map(({ text }) => text)).toEqual([
    'person, Portuguese',
    'person, any',
    'space, Portuguese',
    'space, any',
    'template',
  ]);
});

describe('an instruction calls a macro', () => {
  const macros: Macro[] = [
    { name: 'tórax normal', text: 'Pulmões limpos.', owner: 'person' },
    { name: 'normal chest', text: 'Lungs clear.', owner: 'space' },
    { name: 'fim normal', text: 'Exame normal.', section: 'impression' },
    { name: 'normal', text: 'NEVER.' },
  ];
  const page = [
    { key: 'findings', title: 'Findings', text: 'Heart.' },
    { key: 'impression', title: 'Impression', text: 'Normal.' },
  ];
  test.each<[Language, string, string, string]>([
    ['pt-BR', 'inserir tórax normal', 'Heart. Pulmões limpos.', 'Normal.'],
    ['pt-BR', 'tórax normal', 'Heart. Pulmões limpos.', 'Normal.'],
    ['pt-BR', 'acrescente o tórax normal na impressão', 'Heart.', 'Normal. Pulmões limpos.'],
    ['pt-BR', 'no início dos achados insira tórax normal', 'Pulmões limpos. Heart.', 'Normal.'],
    ['pt-BR', 'reescreva os achados como tórax normal', 'Pulmões limpos.', 'Normal.'],
    ['pt-BR', 'inserir fim normal', 'Heart.', 'Normal. Exame normal.'],
    ['pt-BR', 'adicione fim normal aos achados', 'Heart. Exame normal.', 'Normal.'],
    ['pt-BR', 'troque normal por alterado na impressão', 'Heart.', 'Alterado.'],
    ['en-US', 'please insert the normal chest macro', 'Heart. Lungs clear.', 'Normal.'],
    ['en-US', 'add normal chest to the impression and replace heart with brain', 'Brain.', 'Normal. Lungs clear.'],
    ['es-ES', 'insertar tórax normal', 'Heart. Pulmões limpos.', 'Normal.'],
    ['es-ES', 'agregue tórax normal a la impresión', 'Heart.', 'Normal. Pulmões limpos.'],
  ])('%s: %s', (language, instruction, findings, impression) => {
    const { sections: after } = instruct(instruction, page, language, null, macros);
    expect(after.map(({ text }) => text)).toEqual([findings, impression]);
  });

  test.each<[Language, string]>([
    ['pt-BR', 'normal'],
    ['pt-BR', 'acrescente normal'],
    ['pt-BR', 'apague tórax normal'],
    ['en-US', 'remove normal chest'],
  ])('%s, not: %s', (language, instruction) => {
    expect(instruct(instruction, page, language, null, macros).changes).toEqual([]);
  });
});

describe('an open field', () => {
  const texts: Readonly<Record<Language, string>> = {
    'pt-BR': 'Derrame [lado: direito|esquerdo]. Nódulo de [__ mm]. [contraste: com|sem] contraste. FE [fração: __ %].',
    'en-US': 'Effusion [side: right|left]. Nodule of [__ mm]. Text [note: __].',
    'es-ES': 'Derrame [lado: derecho|izquierdo]. Nódulo de [__ mm].',
  };
  test.each<[Language, string, string, string]>([
    ['pt-BR', 'lado direito', '[lado: direito|esquerdo]', 'direito'],
    ['pt-BR', 'o lado é esquerdo', '[lado: direito|esquerdo]', 'esquerdo'],
    ['pt-BR', 'preencher lado com direita', '[lado: direito|esquerdo]', 'direito'],
    ['pt-BR', 'preencher medida com 5', '[__ mm]', '5 mm'],
    ['pt-BR', 'preencha a medida com três vírgula dois', '[__ mm]', '3,2 mm'],
    ['pt-BR', 'preencher medida com cinco', '[__ mm]', '5 mm'],
    ['pt-BR', 'preencher contraste com sem', '[contraste: com|sem]', 'Sem'],
    ['pt-BR', 'preencher fração com sessenta e dois', '[fração: __ %]', '62%'],
    ['en-US', 'fill side with left', '[side: right|left]', 'left'],
    ['en-US', 'side left', '[side: right|left]', 'left'],
    ['en-US', 'fill in the size with seven', '[__ mm]', '7 mm'],
    ['en-US', 'fill the measurement with 7 mm', '[__ mm]', '7 mm'],
    ['en-US', 'fill note with compared with 2020', '[note: __]', 'compared with 2020'],
    ['es-ES', 'rellenar lado con izquierdo', '[lado: derecho|izquierdo]', 'izquierdo'],
    ['es-ES', 'complete la medida con cinco', '[__ mm]', '5 mm'],
  ])('%s: %s', (language, instruction, field, value) => {
    const page = [{ key: 'findings', title: 'Findings', text: texts[language] }];
    expect(instruct(instruction, page, language).sections[0]!.text).toBe(texts[language].replace(field, value));
  });

  test.each<[Language, string]>([
    ['pt-BR', 'preencher lado com bilateral'],
    ['pt-BR', 'preencher com 5'],
    ['pt-BR', 'preencher medida com pequeno'],
    ['pt-BR', 'lado'],
    ['en-US', 'fill side with'],
  ])('%s, not: %s', (language, instruction) => {
    const page = [{ key: 'findings', title: 'Findings', text: texts[language] }];
    expect(instruct(instruction, page, language)).toMatchObject({
      changes: [],
      answer: { message: expect.anything() },
    });
  });

  it('with as many choices as somebody writes is a field, and one that nobody closed is none', () => {
    expect(fieldsIn(`[a|${'b'.repeat(5000)}]`)).toHaveLength(1);
    expect(fieldsIn('[a: [b|c]] [__\n] [| [x')).toHaveLength(1);
  });
});

describe('hostile macros', () => {
  it('of one letter, called many times, bring no more than a document holds; further calls stay as they were said', () => {
    const macros = [{ name: 'a b', text: 'x'.repeat(20_000) }];
    const { sections: made, questions } = write({
      heard: { text: 'a b. '.repeat(1000) },
      language: 'en-US',
      sections,
      macros,
    });
    const [text] = made.filter(({ key }) => key === 'findings').map((section) => section.text);
    expect(text!.split('x'.repeat(20_000))).toHaveLength(11);
    expect(text).toContain('A b.');
    expect(questions[0]).toMatchObject({ rule: 'macro' });
  });

  // Where the time went by the square of the length, none of these would end within the time that a test has.
  it.each([
    ['brackets', '[[__ mm]'.repeat(25_000), 25_000],
    ['one bracket', `[${'_'.repeat(199_999)}`, 0],
    ['a blank and a line separator', `[${'_'.repeat(199_000)}\u2028x]`, 1],
    ['colons', `[${':'.repeat(199_000)}|]`, 1],
    ['regular expressions', '(a+)+$|\\[.*]'.repeat(15_000), 0],
  ])('are read in time and come as they are: %s', (_name, text, fields) => {
    expect(fieldsIn(text)).toHaveLength(fields);
    expect(written('my text.', 'en-US', { macros: [{ name: 'my text', text }] }) === text).toBe(true);
    const page = [{ key: 'findings', title: 'Findings', text }];
    expect(instruct('fill side with left', page, 'en-US').changes).toEqual([]);
  });
});

describe.each(languages)('with any macros, %s', (language) => {
  const ordinary: Readonly<Record<Language, string>> = {
    'pt-BR': 'normal não sem direito esquerdo dois 3 milímetros achados impressão ponto lesão',
    'en-US': 'normal no not right left two 3 millimeters findings impression period lesion',
    'es-ES': 'normal no sin derecho izquierdo dos 3 milímetros hallazgos impresión punto lesión',
  };
  const name = fc
    .array(fc.constantFrom(...ordinary[language].split(' '), '(', '.*', '[a|b]', '-', '\\'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((words) => words.join(' '));
  const macro = fc.record({
    name,
    text: fc.constantFrom('X.', 'Line.\nLine.', '[lado: direito|esquerdo] [__ mm]', 'Impressão: normal.', ']]['),
  });
  const dictated = fc.array(
    fc.oneof(
      dictation(language),
      name.map((words) => `${words}.`),
    ),
    { maxLength: 4 },
  );

  it('accounts for every word heard, shows the origin of every word, and is undone as it came', () =>
    fc.assert(
      fc.property(fc.array(macro, { maxLength: 6 }), dictated, (macros, parts) => {
        const heard = parts.join(' ').normalize('NFC');
        const report = (without: readonly string[]) =>
          write({ heard: { text: heard }, language, sections, macros, without });
        const { sections: made, provenance } = report([]);
        let end = 0;
        for (const account of provenance.heard) {
          expect(wordsOf(heard.slice(end, account.start))).toEqual([]);
          end = account.end;
        }
        expect(wordsOf(heard.slice(end))).toEqual([]);
        for (const { key, text } of made) {
          let place = 0;
          for (const run of provenance.words.filter(({ section }) => section === key)) {
            expect(wordsOf(text.slice(place, run.start))).toEqual([]);
            place = run.end;
          }
          expect(wordsOf(text.slice(place))).toEqual([]);
        }
        for (const { step, macro: called } of provenance.operations) {
          expect(called !== undefined).toBe(step === 'macros');
          if (called) expect(macroKey(called.name)).toContain(' ');
        }
      }),
      { numRuns: runs },
    ));

  it('a call changes nothing of what was said elsewhere', () =>
    fc.assert(
      fc.property(fc.array(macro, { maxLength: 6 }), dictation(language), (macros, heard) => {
        const own = { name: 'qwert zuiop', text: 'Brought.' };
        const of = (text: string) => write({ heard: { text }, language, sections, macros: [...macros, own] });
        const before = of(heard);
        // What takes back the last sentence may take back the call.
        fc.pre(before.provenance.operations.every(({ step }) => step !== 'corrections'));
        const texts = ({ sections: made }: typeof before) =>
          made.map(({ key, text }) => [key, ...wordsOf(text.toLowerCase())]);
        const without = texts(of(`qwert zuiop.\n${heard}`)).map((words) => words.filter((word) => word !== 'brought'));
        expect(without).toEqual(texts(before));
      }),
      { numRuns: runs },
    ));
});
