import { describe, expect, it } from 'vitest';
import { correctSections } from '../../../src/domain/dictation/correction.ts';
import type { Language } from '../../../src/contract/shared.ts';

const sections = [
  {
    key: 'findings',
    title: 'Achados',
    text: 'Nódulo no lobo direito. Sem derrame à direita, sem massas. Mede 3,5 cm.',
  },
  { key: 'impression', title: 'Impressão', text: 'Nódulo pulmonar direito.' },
];
const [findings = '', impression = ''] = sections.map((section) => section.text);

/** Texts of findings and impression after the instruction. */
const after = (instruction: string, language: Language = 'pt-BR'): string[] =>
  correctSections(instruction, sections, language).sections.map((section) => section.text);

describe('replace', () => {
  it.each([
    'Troque direito por esquerdo.',
    'por favor, substitua direito por esquerdo',
    'Cambie direito por esquerdo',
    'Reemplace direito por esquerdo.',
    'Replace direito with esquerdo',
    'please change "Direito" to "esquerdo"',
  ])('%s', (instruction) =>
    expect(after(instruction)).toEqual([findings.replace('direito', 'esquerdo'), 'Nódulo pulmonar esquerdo.']),
  );

  it.each([
    'Nos achados, troque nodulo por massa',
    'Troque nódulo por massa nos achados',
    'In the findings, replace nodulo with massa.',
    'Replace NÓDULO with massa in the findings section',
    'En los hallazgos, cambie nódulo por massa',
    'Cambie nódulo por massa en la sección hallazgos.',
  ])('in one section, without case and accents, keeping the capital: %s', (instruction) =>
    expect(after(instruction)).toEqual([findings.replace('Nódulo', 'Massa'), impression]),
  );

  it('takes whole words and whole numbers', () => {
    expect(after('troque dire por x')).toEqual([findings, impression]);
    expect(after('troque 5 por 6')).toEqual([findings, impression]);
    expect(after('troque 3,5 por 4,2')[0]).toContain('Mede 4,2 cm.');
  });

  it('understands spoken decimals and a "por" inside what is replaced', () => {
    expect(after('substitua três vírgula cinco por quatro vírgula dois')[0]).toContain('Mede 4,2 cm.');
    const said = [{ key: 'findings', title: 'Achados', text: 'Aumento por edema.' }];
    const { sections: made } = correctSections('troque aumento por edema por redução', said, 'pt-BR');
    expect(made[0]?.text).toBe('Redução.');
  });
});

describe('delete', () => {
  it.each([
    ['apague sem massas', 'Nódulo no lobo direito. Sem derrame à direita. Mede 3,5 cm.'],
    ['Delete sem derrame à direita from the findings', 'Nódulo no lobo direito. Sem massas. Mede 3,5 cm.'],
    ['Borre nódulo en los hallazgos', 'No lobo direito. Sem derrame à direita, sem massas. Mede 3,5 cm.'],
    ['remova mede 3,5 cm', 'Nódulo no lobo direito. Sem derrame à direita, sem massas.'],
  ])('%s', (instruction, text) => expect(after(instruction)).toEqual([text, impression]));

  it('empties a section that is named', () => {
    expect(after('apague a conclusão')).toEqual([findings, '']);
  });

  it('reaches every place', () => {
    const { sections: made } = correctSections(
      'delete cyst',
      [{ key: 'findings', title: 'F', text: 'Cyst, cyst. Cyst seen.\nCyst.' }],
      'en-US',
    );
    expect(made[0]?.text).toBe('Seen.');
  });
});

describe('add', () => {
  it.each([
    'acrescente controle em 6 meses à impressão',
    'Adicione na conclusão: controle em 6 meses.',
    'inclua "controle em 6 meses" na seção impressão',
    'Add controle em 6 meses to the impression section.',
    'Agregue controle em 6 meses a la impresión',
    'Añada controle em 6 meses en la sección impresión',
  ])('%s', (instruction) => expect(after(instruction)).toEqual([findings, `${impression} Controle em 6 meses.`]));

  it('makes the section where there is none, and takes several sentences', () => {
    const { sections: made, changes } = correctSections(
      'acrescente retorno. Trazer exames. às recomendações',
      sections,
      'pt-BR',
    );
    expect(made.at(-1)).toEqual({ key: 'recommendations', title: 'Recomendações', text: 'Retorno. Trazer exames.' });
    expect(changes).toEqual([{ section: 'recommendations', before: null, after: 'Retorno. Trazer exames.' }]);
  });

  it('does nothing where the section is not said', () => {
    expect(after('acrescente controle')).toEqual([findings, impression]);
  });
});

describe('take back', () => {
  it.each(['apagar isso', 'Scratch that.', 'borrar eso', 'borre eso'])('%s', (instruction) => {
    const said = [
      { key: 'findings', title: 'Achados', text: 'Pulmões limpos. Sem derrame.' },
      { key: 'impression', title: 'Impressão', text: '' },
    ];
    expect(correctSections(instruction, said, 'pt-BR').sections.map((section) => section.text)).toEqual([
      'Pulmões limpos.',
      '',
    ]);
  });
});

describe('instructions', () => {
  it('are carried out one after the other', () => {
    expect(after('Troque nódulo por massa. Apague sem massas.')).toEqual([
      'Massa no lobo direito. Sem derrame à direita. Mede 3,5 cm.',
      'Massa pulmonar direito.',
    ]);
  });

  it.each([
    'faça um café',
    '',
    'troque',
    'troque direito',
    'apague xyz',
    'replace direito with direito',
    'x '.repeat(20_000),
  ])('that mean nothing here change nothing: %.20s', (instruction) =>
    expect(correctSections(instruction, sections, 'pt-BR')).toEqual({ sections, changes: [] }),
  );
});
