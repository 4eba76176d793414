/** What a document is asked about before it is signed. */
import * as fc from '../support/properties.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Section } from '../../src/contract/document.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import type { CheckInput } from '../../src/reporting/checks/check.ts';
import type { Exam } from '../../src/reporting/checks/exam.ts';
import type { Finding } from '../../src/reporting/checks/finding.ts';
import { tables } from '../../src/reporting/languages/index.ts';
import { write } from '../../src/reporting/write.ts';
import { sections as allSections } from './written.ts';

const template = allSections.map((section) => ({ ...section, required: false }));

type Texts = Readonly<Record<string, string>>;

const sectionsOf = (texts: Texts) => Object.entries(texts).map(([key, text]) => ({ key, title: key, text }));

function findings(texts: Texts, language: Language, rest: Partial<CheckInput> = {}): Finding[] {
  return prepareChecks({ language, template, ...rest })(sectionsOf(texts));
}

/** `kind: words touched`, warnings only. */
const warnings = (texts: Texts, language: Language, rest: Partial<CheckInput> = {}): string[] =>
  findings(texts, language, rest)
    .filter(({ severity }) => severity === 'warning')
    .map(({ kind, section, start, end }) => `${kind}: ${texts[section]?.slice(start, end) ?? section}`);

const said = {
  'pt-BR':
    'nódulo de seis milímetros no lobo superior direito ponto sem derrame pleural ponto protrusão em ele quatro ele cinco ponto birads quatro a ponto',
  'en-US':
    'six millimeter nodule in the right upper lobe period no pleural effusion period protrusion at l four l five period birads four a period',
  'es-ES':
    'nódulo de seis milímetros en el lóbulo superior derecho punto sin derrame pleural punto protrusión en ele cuatro ele cinco punto birads cuatro a punto',
} as const;
const right = {
  'pt-BR': 'Nódulo de 6 mm no lobo superior direito. Sem derrame pleural. Protrusão em L4-L5. BI-RADS 4A.',
  'en-US': '6 mm nodule in the right upper lobe. No pleural effusion. Protrusion at L4-L5. BI-RADS 4A.',
  'es-ES': 'Nódulo de 6 mm en el lóbulo superior derecho. Sin derrame pleural. Protrusión en L4-L5. BI-RADS 4A.',
} as const;

describe.each(languages)('against what was said in %s', (language) => {
  const against = (from: string, to: string): string[] => {
    expect(right[language]).toContain(from);
    return warnings({ findings: right[language].replace(from, to) }, language, { heard: { text: said[language] } });
  };
  const words = {
    'pt-BR': {
      right: 'direito',
      left: 'esquerdo',
      upper: 'superior',
      lower: 'inferior',
      no: 'Sem derrame',
      yes: 'Derrame',
    },
    'en-US': { right: 'right', left: 'left', upper: 'upper', lower: 'lower', no: 'No pleural', yes: 'Pleural' },
    'es-ES': {
      right: 'derecho',
      left: 'izquierdo',
      upper: 'superior',
      lower: 'inferior',
      no: 'Sin derrame',
      yes: 'Derrame',
    },
  }[language];

  it('a document as it was said has nothing', () => expect(against('6 mm', '6 mm')).toEqual([]));
  it('nor one whose numbers are in words', () => {
    const six = { 'pt-BR': 'seis milímetros', 'en-US': 'Six millimeter', 'es-ES': 'seis milímetros' }[language];
    expect(against('6 mm', six)).toEqual([]);
  });
  it('nor one whose measure is in another unit', () =>
    expect(against('6 mm', language === 'en-US' ? '0.6 cm' : '0,6 cm')).toEqual([]));
  it('side', () => expect(against(words.right, words.left)).toEqual([`side_not_said: ${words.left}`]));
  it('place', () => expect(against(words.upper, words.lower)).toEqual([`side_not_said: ${words.lower}`]));
  it('side lost', () => expect(against(`${words.right}`, '')).toMatchObject([expect.stringMatching(/^side_lost: /)]));
  it('number', () => expect(against('6 mm', '8 mm')).toEqual(['number_changed: 8']));
  it('unit', () => expect(against('6 mm', '6 cm')).toEqual(['unit_changed: cm']));
  it('level', () => expect(against('L4-L5', 'L3-L4')).not.toEqual([]));
  it('category', () => expect(against('4A', '4B')).toEqual(['number_changed: 4B']));
  it('negation lost', () =>
    expect(against(words.no, words.yes)).toMatchObject([expect.stringMatching(/^negation_changed: /)]));
  it('negation added', () => {
    const [from, to] =
      language === 'en-US'
        ? ['Protrusion', 'No protrusion']
        : language === 'pt-BR'
          ? ['Protrusão', 'Sem protrusão']
          : ['Protrusión', 'Sin protrusión'];
    expect(against(from, to)).toMatchObject([expect.stringMatching(/^negation_changed: (?:No|Sem|Sin)$/)]);
  });
});

describe('sentences in other sections', () => {
  const heard = {
    text: 'nódulo de seis milímetros à direita ponto sem derrame pleural ponto impressão dois pontos nódulo à direita ponto',
  };
  it.each([
    [{ findings: 'Sem derrame pleural. Nódulo de 6 mm à direita.', impression: 'Nódulo à direita.' }, []],
    [{ findings: 'Nódulo de 6 mm à direita, sem derrame pleural.', impression: 'Nódulo à direita.' }, []],
    [{ findings: 'Sem derrame pleural.', impression: 'Nódulo de 6 mm à direita. Nódulo à direita.' }, []],
    [{ findings: 'Não há derrame pleural. Nódulo de 6 mm à direita.', impression: 'Nódulo à direita.' }, []],
    [
      { findings: 'Sem derrame pleural. Nódulo de 7 mm à direita.', impression: 'Nódulo à direita.' },
      ['number_changed: 7'],
    ],
  ] as const)('%j', (texts, wanted) => expect(warnings(texts, 'pt-BR', { heard })).toEqual(wanted));
});

describe('one section against another', () => {
  const file = new URL('consistency.json', import.meta.url);
  const rows = JSON.parse(readFileSync(file, 'utf8')) as [Language, string, string, boolean][];
  it.each(rows)('%s: %s / %s', (language, seen, impression, hasWarning) => {
    expect(warnings({ findings: seen, impression }, language, { critical: [] }).length > 0).toBe(hasWarning);
  });

  it('a finding that only the impression contains is a question', () => {
    const [found] = findings({ findings: 'Pulmões limpos.', impression: 'Derrame pleural.' }, 'pt-BR').filter(
      ({ kind }) => kind === 'impression_not_supported',
    );
    expect(found?.severity).toBe('question');
  });
});

describe('words spoken in one form and written in another', () => {
  const file = new URL('said.json', import.meta.url);
  const rows = JSON.parse(readFileSync(file, 'utf8')) as [Language, string, string, string[]][];
  it.each(rows)('%s: %s / %s', (language, heard, text, touched) => {
    const found = findings({ findings: text }, language, { heard: { text: heard } }).filter(
      ({ severity }) => severity === 'warning',
    );
    expect(found).toHaveLength(touched.length);
    for (const [at, words] of touched.entries()) expect(text.slice(found[at]!.start, found[at]!.end)).toContain(words);
  });
});

describe('another exam than the one that was made', () => {
  const file = new URL('exams.json', import.meta.url);
  const rows = JSON.parse(readFileSync(file, 'utf8')) as [Language, string, string, Texts, boolean][];
  it.each(rows)('%s: %s %s, %j', (language, modality, exam_description, texts, isOther) => {
    const found = warnings(texts, language, { exam: { modality, exam_description } });
    expect(found.some((each) => each.startsWith('exam_mismatch'))).toBe(isOther);
    if (!isOther) expect(found).toEqual([]);
  });
});

describe('against the exam', () => {
  const knee: Exam = {
    modality: 'MR',
    exam_description: 'RM do joelho direito',
    patient_sex: 'M',
    patient_age: '033Y',
  };
  it.each([
    [
      { findings: 'Ruptura do ligamento cruzado anterior do joelho esquerdo.' },
      knee,
      ['side_differs_from_exam: esquerdo'],
    ],
    [{ impression: 'Lesão meniscal à esquerda.' }, knee, ['side_differs_from_exam: esquerda']],
    [{ findings: 'Ruptura do ligamento cruzado anterior do joelho direito.' }, knee, []],
    [{ findings: 'Atrofia muscular em relação ao joelho esquerdo.' }, knee, []],
    [{ findings: 'Meniscos íntegros. Sem alterações no joelho contralateral esquerdo.' }, knee, []],
    [{ technique: 'Ressonância magnética do joelho direito.' }, knee, []],
    [
      { technique: 'Tomografia computadorizada do joelho direito.' },
      knee,
      ['exam_mismatch: Tomografia computadorizada'],
    ],
    [{ technique: 'Ressonância magnética do ombro direito.' }, knee, ['exam_mismatch: ombro']],
    [{ comparison: 'Tomografia de tórax de 2024.' }, knee, []],
    [{ findings: 'Fígado e baço normais. Rins sem cálculos.' }, knee, ['exam_mismatch: Fígado']],
    [{ findings: 'Menisco medial íntegro. Edema no fêmur.' }, knee, []],
    [{ technique: 'Aquisição tomográfica helicoidal.' }, knee, ['exam_mismatch: tomográfica']],
    [{ findings: 'Edema já visto na tomografia de controle.' }, knee, []],
    [{ findings: 'Joelho esquerdo, examinado como controle, normal.' }, knee, []],
    [{ indication: 'Mãe com câncer de ovário.' }, knee, []],
    [{ findings: 'Útero sem alterações.' }, knee, ['sex_implausible: Útero']],
    [{ findings: 'Próstata sem alterações.' }, knee, []],
    [{ findings: 'Próstata sem alterações.' }, { ...knee, patient_sex: 'F' }, ['sex_implausible: Próstata']],
    [
      { findings: 'Feto único do sexo masculino.' },
      { modality: 'US', exam_description: 'US obstétrico', patient_sex: 'F', patient_age: '029Y' },
      [],
    ],
    [{ indication: 'Paciente masculino de 33 anos com dor.' }, knee, []],
    [{ indication: 'Paciente masculino de 63 anos com dor.' }, knee, ['age_implausible: 63 anos']],
    [{ indication: 'Dor há 10 anos.' }, knee, []],
    [
      { findings: 'Gestação tópica.' },
      { modality: 'US', exam_description: 'US pélvico', patient_sex: 'F', patient_age: '078Y' },
      ['age_implausible: Gestação'],
    ],
  ] as const)('%j', (texts, exam, wanted) => expect(warnings(texts, 'pt-BR', { exam })).toEqual(wanted));

  it.each(['054Y', '54', '54 anos', '54 years'])('reads the age %s', (patient_age) =>
    expect(warnings({ findings: 'Paciente de 45 anos.' }, 'pt-BR', { exam: { ...knee, patient_age } })).toEqual([
      'age_implausible: 45 anos',
    ]),
  );
});

describe('measures that nothing can have', () => {
  it.each([
    ['Rim direito medindo 10,2 mm.', 'pt-BR', ['unit_implausible: 10,2 mm']],
    ['Rim direito medindo 10,2 cm.', 'pt-BR', []],
    ['Rim direito com cisto de 8 mm.', 'pt-BR', []],
    ['Fração de ejeção de 650%.', 'pt-BR', ['unit_implausible: 650%']],
    ['The common bile duct measures 5 cm.', 'en-US', ['unit_implausible: 5 cm']],
    ['The common bile duct measures 5 mm.', 'en-US', []],
    ['Endometrio de 6 cm.', 'es-ES', []],
    ['Colédoco de 6 cm.', 'es-ES', ['unit_implausible: 6 cm']],
    ['Nódulo pulmonar calcificado de 45 cm no lobo inferior.', 'pt-BR', ['unit_implausible: 45 cm']],
    ['Apêndice cecal com 9 cm de diâmetro.', 'pt-BR', ['unit_implausible: 9 cm']],
    ['Apêndice cecal com 9 cm de comprimento.', 'pt-BR', []],
    ['Cisto cortical no rim esquerdo, com 2 cm.', 'pt-BR', []],
    ['Calcified granuloma measuring 40 cm.', 'en-US', ['unit_implausible: 40 cm']],
    ['Cyst in the left kidney of 2 cm.', 'en-US', []],
  ] as const)('%s', (text, language, wanted) => expect(warnings({ findings: text }, language)).toEqual(wanted));
});

describe('missing parts', () => {
  const required = [
    { key: 'findings', title: 'Achados', required: true },
    { key: 'impression', title: 'Impressão', required: true },
  ];
  it('required sections', () => {
    expect(warnings({ findings: 'Limpos.' }, 'pt-BR', { template: required })).toEqual(['section_missing: impression']);
    expect(
      findings({ findings: 'Limpos.', impression: ' ' }, 'pt-BR', { template: required }).map(({ kind }) => kind),
    ).toEqual(['section_empty']);
  });

  it('text of the template or the exam that nobody said', () => {
    const own = [
      { key: 'technique', title: 'Técnica' },
      { key: 'findings', title: 'Achados' },
      { key: 'impression', title: 'Impressão', text: 'Exame normal.' },
    ];
    const known = { technique: 'Exame por TC.' };
    const report = write({ heard: { text: 'pulmões limpos' }, language: 'pt-BR', sections: own, known });
    const found = prepareChecks({ language: 'pt-BR', template: own, heard: { text: 'pulmões limpos' } })(
      report.sections,
      report.provenance,
    );
    expect(found.map(({ kind, severity, section }) => [kind, severity, section])).toEqual([
      ['unsaid', 'info', 'technique'],
      ['unsaid', 'question', 'impression'],
    ]);
  });

  it.each([
    ['Pneumotórax à direita.', 'pt-BR', 1],
    ['Pneumotórax à direita. Achado comunicado ao médico assistente.', 'pt-BR', 0],
    ['Sem pneumotórax.', 'pt-BR', 0],
    ['Não há derrame pleural ou pneumotórax.', 'pt-BR', 0],
    ['Pneumotórax não caracterizado.', 'pt-BR', 0],
    ['Para descartar pneumotórax.', 'pt-BR', 0],
    ['Pneumotórax do exame anterior resolvido.', 'pt-BR', 0],
    ['Acute pulmonary embolism.', 'en-US', 1],
    ['No evidence of pulmonary embolism or pneumothorax.', 'en-US', 0],
    ['Acute pulmonary embolism. The referring physician could not be reached, and was not notified.', 'en-US', 1],
    ['Pneumotórax à direita. Não foi possível contato telefônico.', 'pt-BR', 1],
    ['Hematoma subdural crônico à esquerda.', 'pt-BR', 0],
    ['Hematoma subdural crônico agudizado.', 'pt-BR', 1],
    ['Acute on chronic subdural hematoma.', 'en-US', 1],
    ['Hematoma subdural crónico.', 'es-ES', 0],
    ['Active extravasation in the spleen.', 'en-US', 1],
    ['Extravasamento ativo de contraste no baço.', 'pt-BR', 1],
    ['Sem herniação uncal ou isquemia mesentérica.', 'pt-BR', 0],
    ['Isquemia mesentérica.', 'es-ES', 1],
    ['Sin signos de oclusión de gran vaso.', 'es-ES', 0],
    ['No hay neumotórax ni neumoperitoneo.', 'es-ES', 0],
    ['Neumoperitoneo.', 'es-ES', 1],
  ] as const)('asks whether a result was communicated: %s', (text, language, count) => {
    const found = findings({ findings: text }, language).filter(({ kind }) => kind === 'critical_not_communicated');
    expect(found.map(({ severity }) => severity)).toEqual(Array(count).fill('warning'));
  });

  it('the list of critical results is the department’s', () => {
    const kinds = (critical: string[]) =>
      findings({ findings: 'Apendicite aguda.' }, 'pt-BR', { critical }).map(({ kind }) => kind);
    expect(kinds([])).toEqual([]);
    expect(kinds(['appendicitis'])).toEqual(['critical_not_communicated']);
  });

  it('words that the recogniser doubted', () => {
    const heard = {
      text: 'nódulo de 6 mm à direita',
      words: [
        { start: 0, end: 6, confidence: 0.9 },
        { start: 10, end: 11, confidence: 0.2 },
        { start: 17, end: 24, confidence: 0.3 },
      ],
    };
    const report = write({ heard, language: 'pt-BR', sections: template });
    const found = prepareChecks({ language: 'pt-BR', template, heard })(report.sections, report.provenance).filter(
      ({ kind }) => kind === 'low_confidence',
    );
    const text = report.sections.find(({ key }) => key === 'findings')!.text;
    expect(found.map(({ start, end, severity }) => [text.slice(start, end), severity])).toEqual([
      ['6', 'question'],
      ['direita', 'question'],
    ]);
  });

  it('text that the recogniser gave in silence is asked about, and is not in the report', () => {
    const heard = {
      text: 'nódulo no rim fígado normal',
      suppressed: [
        { text: 'Obrigado por assistir', at: 13, from: 65.2, to: 67, reason: 'silence' as const },
        { text: 'fígado, baço, rim', at: 0, reason: 'echo' as const },
      ],
    };
    const report = write({ heard, language: 'pt-BR', sections: template });
    const check = prepareChecks({ language: 'pt-BR', template, heard });
    const found = check(report.sections, report.provenance).filter(({ kind }) => kind === 'suppressed');
    const text = report.sections.find(({ key }) => key === 'findings')!.text;
    expect(JSON.stringify(report.sections)).not.toContain('Obrigado');
    expect(found.map(({ message, severity }) => [severity, message])).toEqual([
      ['question', expect.stringContaining('“fígado, baço, rim”')],
      ['question', expect.stringMatching(/“Obrigado por assistir” .* \(1:05\)/)],
    ]);
    expect(found[0]).toMatchObject({ start: 0, end: 0 });
    expect(text.slice(0, found[1]!.start)).toMatch(/rim ?$/);
    expect(check([], undefined).map(({ kind }) => kind)).not.toContain('nothing_heard');
  });

  it('sound in which nobody spoke, until somebody writes', () => {
    const heard = { text: '' };
    const report = write({ heard, language: 'es-ES', sections: allSections });
    const check = prepareChecks({ language: 'es-ES', template, heard });
    const kinds = (sections: readonly Section[], provenance = report.provenance) =>
      check(sections, provenance).map(({ kind }) => kind);
    expect(kinds(report.sections)).toContain('nothing_heard');
    const written = report.sections.map((section) => ({ ...section, text: 'Hígado normal.' }));
    const words = written.map(({ key, text }) => {
      return { section: key, start: 0, end: text.length, origin: 'edited' as const, heard: null };
    });
    expect(kinds(written, { ...report.provenance, words })).not.toContain('nothing_heard');
  });

  it('words that can be read in more than one way', () => {
    const heard = { text: 'nódulo digo cisto no rim' };
    const report = write({ heard, language: 'pt-BR', sections: template });
    const [found] = prepareChecks({ language: 'pt-BR', template, heard })(report.sections, report.provenance);
    expect(found).toMatchObject({
      kind: 'unclear',
      severity: 'question',
      section: 'findings',
      start: 7,
      end: 11,
      transcript: { start: 7, end: 11 },
    });
  });
});

describe('findings', () => {
  const texts = { findings: 'Nódulo de 8 mm no lobo superior esquerdo.' };
  const heard = { text: 'nódulo de seis milímetros no lobo superior direito' };
  const ids = (findings_: string) => findings({ findings: findings_ }, 'pt-BR', { heard }).map(({ id }) => id);

  it('keep their id while their words stay', () => {
    const before = ids(texts.findings);
    expect(new Set(before).size).toBe(2);
    expect(ids(`Pulmões expandidos. ${texts.findings}`)).toEqual(before);
    expect(ids('Nódulo de 9 mm no lobo superior esquerdo.')).not.toEqual(before);
  });

  it('say what was said and where', () => {
    const [number] = findings(texts, 'pt-BR', { heard });
    expect(number).toMatchObject({
      message: 'O laudo diz “8”, o ditado diz “seis”.',
      section: 'findings',
      start: 10,
      end: 11,
      transcript: { start: 10, end: 14 },
    });
  });

  it.each(languages)('have a message for every kind in %s', (language) =>
    expect(Object.keys(tables[language].messages)).toEqual(Object.keys(tables['en-US'].messages)),
  );
});

/** Swaps of facts that a listener could make, over all our dictations. */
describe.each(languages)('seeded errors in %s', (language) => {
  const file = new URL(`dictations/${language}.json`, import.meta.url);
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as [heard: string, text: string][];
  const swaps: readonly (readonly [RegExp, (word: string) => string])[] = [
    [/\bdireit(?=[oa])/i, () => 'esquerd'],
    [/\besquerd(?=[oa])/i, () => 'direit'],
    [/\bderech(?=[oa])/i, () => 'izquierd'],
    [/\bizquierd(?=[oa])/i, () => 'derech'],
    [/\bright\b/i, () => 'left'],
    [/\bleft\b/i, () => 'right'],
    [/\bsuperior\b/i, () => 'inferior'],
    [/\bupper\b/i, () => 'lower'],
    [/\bposterior\b/i, () => 'anterior'],
    [/\d+(?=[.,]?\d* (?:mm|cm|mL|UH|HU|g|bpm|lpm|ms|cm\/s|m\/s)|%)/, (word) => String(Number(word) + 1)],
    [/(?<=\d )mm\b/, () => 'cm'],
    [/(?<=\d )cm\b/, () => 'mm'],
    [/\bL4-L5/, () => 'L3-L4'],
    [/\b(?:sem|sin|without) /i, () => ''],
    [/\bNo (?=\p{Ll})/u, () => ''],
  ];
  const seeds = pairs.flatMap(([heard]) => {
    const report = write({ heard: { text: heard }, language, sections: template });
    return swaps.flatMap(([pattern, by]) =>
      report.sections.flatMap((section) => {
        const word = language === 'en-US' || pattern.source !== '\\bNo (?=\\p{Ll})' ? pattern.exec(section.text) : null;
        if (!word) return [];
        const text = section.text.slice(0, word.index) + by(word[0]) + section.text.slice(word.index + word[0].length);
        return [{ heard, sections: report.sections.map((each) => (each === section ? { ...each, text } : each)) }];
      }),
    );
  });

  it('are found, at least 95 in 100', () => {
    expect(seeds.length).toBeGreaterThan(100);
    const found = seeds.filter(({ heard, sections }) =>
      prepareChecks({ language, template, heard: { text: heard } })(sections).some(
        ({ severity }) => severity === 'warning',
      ),
    );
    expect(found.length / seeds.length).toBeGreaterThanOrEqual(0.95);
  });

  it('and no document as it was written has a warning', () => {
    const alarmed = pairs.filter(([heard]) => {
      const report = write({ heard: { text: heard }, language, sections: template });
      return prepareChecks({ language, template, heard: { text: heard } })(report.sections, report.provenance).some(
        ({ severity }) => severity === 'warning',
      );
    });
    expect(alarmed).toEqual([]);
  });
});

it('answers whatever the text is', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (text, heard) => {
        for (const found of findings({ findings: text }, 'pt-BR', { heard: { text: heard } })) {
          expect(found.end).toBeGreaterThanOrEqual(found.start);
          expect(found.end).toBeLessThanOrEqual(text.normalize('NFC').length);
        }
      },
    ),
    { numRuns: 50 },
  ));
