/** What is asked about facts that a person changed, and about sections without text. */
import { describe, expect, it } from 'vitest';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import type { CheckInput } from '../../src/reporting/checks/check.ts';
import type { Finding } from '../../src/reporting/checks/finding.ts';
import { traceEdit } from '../../src/reporting/versions/edits.ts';
import { write } from '../../src/reporting/write.ts';
import { sections as allSections } from './written.ts';

type Texts = Readonly<Record<string, string>>;

const template = allSections.map((section) => ({ ...section, required: false }));

const findings = (texts: Texts, rest: Partial<CheckInput> = {}): Finding[] =>
  prepareChecks({ language: 'pt-BR', template, ...rest })(
    Object.entries(texts).map(([key, text]) => ({ key, title: key, text })),
  );

const heard = {
  text: 'nódulo de seis milímetros no lobo superior direito ponto sem derrame pleural ponto protrusão em ele quatro ele cinco ponto birads quatro a ponto',
};
const written = 'Nódulo de 6 mm no lobo superior direito. Sem derrame pleural. Protrusão em L4-L5. BI-RADS 4A.';

describe('deliberate changes of a person', () => {
  const report = write({ heard, language: 'pt-BR', sections: template });
  const check = prepareChecks({ language: 'pt-BR', template, heard });
  const edited = (from: string, to: string) => {
    const after = report.sections.map((section) => ({ ...section, text: section.text.replace(from, to) }));
    const provenance = traceEdit(report, after, { by: 'dr@example.com', transcript: heard.text });
    return check(after, provenance).map(({ kind, severity }) => [kind, severity]);
  };
  it.each([
    ['6 mm', '8 mm', [['number_changed', 'question']]],
    ['direito', 'esquerdo', [['side_not_said', 'question']]],
    ['6 mm', '6 cm', [['unit_changed', 'question']]],
    ['L4-L5', 'L3-L4', [['number_changed', 'question']]],
    ['Sem derrame', 'Derrame', [['negation_changed', 'question']]],
    [' Sem derrame pleural.', '', []],
    ['direito.', 'direito, com calcificações à esquerda.', [['side_not_said', 'info']]],
  ] as const)('%s → %s', (from, to, wanted) => expect(edited(from, to)).toEqual(wanted));

  it('offer what was said, in the form of a report', () => {
    const text = written.replace('6 mm', '8 mm').replace('direito', 'esquerdo');
    const found = findings({ findings: text }, { heard });
    expect(found.map(({ readings }) => readings)).toEqual([
      ['8', '6'],
      ['esquerdo', 'direito'],
    ]);
  });

  it.each([
    ['8 mm', 'info'],
    ['18 mm', 'question'],
  ])('ask no more when somebody chose what was heard at the second hearing: 8 mm, heard %s', (text, severity) => {
    const otherReadings = [{ start: 10, end: 26, text, doubt: 0.9 }];
    const chosen = report.sections.map((section) => ({ ...section, text: section.text.replace('6 mm', '8 mm') }));
    const provenance = traceEdit(report, chosen, { by: 'dr@example.com', transcript: heard.text });
    const checked = prepareChecks({ language: 'pt-BR', template, heard: { ...heard, otherReadings } });
    expect(checked(chosen, provenance).filter(({ kind }) => kind === 'number_changed')).toMatchObject([{ severity }]);
  });
});

describe('a category of another organ’s system', () => {
  const breast = { modality: 'MG', exam_description: 'Mamografia bilateral' };
  it.each([
    ['Nódulo na mama direita. VI-RADS 4A.', null, ['VI-RADS 4A', 'BI-RADS 4A']],
    ['Nódulo espiculado. VI-RADS 4.', breast, ['VI-RADS 4', 'BI-RADS 4']],
    ['Nódulo na tireoide. BI-RADS 4.', null, ['BI-RADS 4', 'TI-RADS 4']],
    ['Nódulo na mama direita. BI-RADS 4A.', null, undefined],
    ['Nódulos na tireoide e na mama. TI-RADS 3.', null, undefined],
    ['Nódulo espiculado. BI-RADS 4.', null, undefined],
    ['Lesão na parede vesical. VI-RADS 4.', null, undefined],
  ] as const)('%s', (text, exam, wanted) => {
    const [found] = findings({ findings: text }, { exam }).filter(({ kind }) => kind === 'unclear');
    expect(found?.readings).toEqual(wanted);
  });
});

describe('findings and impression without text', () => {
  const wanting = [
    { key: 'indication', title: 'Indicação' },
    { key: 'findings', title: 'Achados' },
    { key: 'impression', title: 'Impressão' },
  ];
  it.each([
    [{ findings: 'Limpos.', impression: 'Normal.' }, []],
    [{ findings: 'Limpos.' }, ['question impression']],
    [
      { indication: 'Dor. Axados com nódulo no fígado.', findings: '', impression: 'Nódulo.' },
      ['question findings ← Axados com nódulo no fígado.'],
    ],
    [{ findings: 'Massa na mama. BI-RADS 4A.', impression: '' }, ['question impression ← BI-RADS 4A.']],
  ] as const)('%j', (texts, wanted) => {
    const asked = findings(texts, { template: wanting }).map(({ severity, section, evidence }) => {
      const places = evidence.flatMap((each) =>
        'section' in each ? [(texts as Texts)[each.section]?.slice(each.start, each.end)] : [],
      );
      return [severity, section, ...(places.length > 0 ? ['←', ...places] : [])].join(' ');
    });
    expect(asked).toEqual(wanted);
  });

  it('may be missing where the template says so', () =>
    expect(
      findings(
        { findings: 'Limpos.' },
        {
          template: wanting.map((section) => ({ ...section, required: false })),
        },
      ),
    ).toEqual([]));
});
