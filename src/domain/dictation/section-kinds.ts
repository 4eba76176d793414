/** The sections that medical documents have: their order, their titles, and how physicians name them when they speak. */
import type { Language } from '../../contract/shared.ts';
import { wordList } from './words.ts';

type InLanguages<T> = Readonly<Record<Language, T>>;

export interface SectionKind {
  readonly key: string;
  readonly titles: InLanguages<string>;
  /** Spoken names. One that ends in a colon is a common word too, and a section name only with a colon after it. */
  readonly phrases: InLanguages<readonly string[]>;
  /** Where the text goes in a document that has no such section; without one, the document gains the section. */
  readonly instead?: string;
  /** Stands in a document of its template even while there is nothing in it, so that it is seen to be missing. */
  readonly isExpected?: true;
}

type Row = [key: string, titles: [pt: string, en: string, es: string], pt: string, en: string, es: string];

const kind = (
  [key, [pt, en, es], ...names]: Row,
  rest: Pick<SectionKind, 'instead' | 'isExpected'> = {},
): SectionKind => {
  const [ptNames, enNames, esNames] = names.map((list) => list.trim().split(/,\s+/)) as [string[], string[], string[]];
  return {
    key,
    titles: { 'pt-BR': pt, 'en-US': en, 'es-ES': es },
    phrases: { 'pt-BR': ptNames, 'en-US': enNames, 'es-ES': esNames },
    ...rest,
  };
};

/** In the order in which they stand in a document. */
export const sectionKinds: readonly SectionKind[] = [
  kind(['notice', ['Aviso', 'Notice', 'Aviso'], 'aviso:', 'notice:', 'aviso:']),
  kind([
    'patient',
    ['Paciente', 'Patient', 'Paciente'],
    'paciente:, nome do paciente:, identificação:',
    'patient:, patient name:',
    'paciente:, nombre del paciente:',
  ]),
  kind(
    [
      'indication',
      ['Indicação', 'Indication', 'Indicación'],
      `
        indicação, indicação clínica, indicação do exame, dados clínicos, informações clínicas, motivo do exame,
        motivo:
      `,
      `
        indication, clinical indication, reason for exam, reason for examination, reason for study, clinical
        information
      `,
      `
        indicación, indicación clínica, indicación del estudio, datos clínicos, información clínica, motivo del
        estudio, motivo:
      `,
    ],
    { instead: 'history' },
  ),
  kind(
    [
      'history',
      ['História', 'History', 'Historia'],
      'história, história clínica, história da doença atual, histórico, anamnese, queixa principal, antecedentes',
      'history, clinical history, medical history, history of present illness, chief complaint',
      'historia, historia clínica, anamnesis, motivo de consulta, antecedentes, enfermedad actual',
    ],
    { instead: 'indication' },
  ),
  kind([
    'technique',
    ['Técnica', 'Technique', 'Técnica'],
    'técnica, técnica do exame, metodologia, método:, protocolo:',
    'technique, examination technique, method:, protocol:',
    'técnica, técnica del estudio, metodología, método:, protocolo:',
  ]),
  kind([
    'comparison',
    ['Comparação', 'Comparison', 'Comparación'],
    'comparação, estudo comparativo, exames anteriores:',
    'comparison, comparison study, prior studies:',
    'comparación, estudio comparativo, estudios previos:',
  ]),
  kind([
    'measurements',
    ['Medidas', 'Measurements', 'Medidas'],
    'medidas, mensurações, parâmetros:',
    'measurements, parameters:',
    'medidas, mediciones, parámetros:',
  ]),
  kind(
    [
      'findings',
      ['Achados', 'Findings', 'Hallazgos'],
      'achados, análise, descrição, descrição dos achados, resultado:, resultados:, relatório:',
      'findings, description, results:, report:',
      'hallazgos, análisis, descripción, descripción de los hallazgos, resultado:, resultados:, informe:',
    ],
    { instead: 'examination', isExpected: true },
  ),
  kind(
    [
      'examination',
      ['Exame físico', 'Examination', 'Examen físico'],
      'exame físico, exame dermatológico, ao exame, ao exame físico, ao exame dermatológico, exame:, ectoscopia',
      `
        physical examination, physical exam, skin examination, skin exam, dermatological examination, dermatologic
        examination, on examination, examination, exam:
      `,
      `
        examen físico, exploración física, exploración dermatológica, examen dermatológico, a la exploración, al
        examen, exploración, examen:
      `,
    ],
    { instead: 'findings', isExpected: true },
  ),
  kind(
    [
      'impression',
      ['Impressão', 'Impression', 'Impresión'],
      'impressão, impressão diagnóstica, conclusão, conclusões, opinião:, resumo:',
      'impression, conclusion, conclusions, diagnostic impression, opinion:, summary:',
      'impresión, impresión diagnóstica, conclusión, conclusiones, juicio clínico, opinión:, resumen:',
    ],
    { instead: 'diagnosis', isExpected: true },
  ),
  kind(
    [
      'diagnosis',
      ['Diagnóstico', 'Diagnosis', 'Diagnóstico'],
      'diagnóstico, hipótese diagnóstica, hipóteses diagnósticas, diagnóstico diferencial:',
      'diagnosis, assessment, differential diagnosis:',
      'diagnóstico, juicio diagnóstico, hipótesis diagnóstica, diagnóstico diferencial:',
    ],
    { instead: 'impression', isExpected: true },
  ),
  kind(
    [
      'plan',
      ['Conduta', 'Plan', 'Plan'],
      'conduta, plano terapêutico, plano:, tratamento:',
      'plan, treatment plan, management:, treatment:',
      'plan, conducta, plan terapéutico, tratamiento:',
    ],
    { instead: 'recommendations' },
  ),
  kind(
    [
      'recommendations',
      ['Recomendações', 'Recommendations', 'Recomendaciones'],
      'recomendações, recomendação, sugestão:, sugestões:',
      'recommendations, recommendation, suggestion:',
      'recomendaciones, recomendación, sugerencia:, sugerencias:',
    ],
    { instead: 'plan' },
  ),
];

/** The kind with this key, if there is one. */
export const sectionKind = (key: string): SectionKind | undefined => sectionKinds.find((each) => each.key === key);

/**
 * Words (folded) after which a section name at the beginning of a sentence is part of it: "Findings are…",
 * "Impressão de…", "Hallazgos compatibles…".
 */
export const continuations: InLanguages<ReadonlySet<string>> = {
  'pt-BR': new Set(
    wordList(`
      de do da dos das em no na nos nas com que e ou por para pelo pela ao aos foi foram era eram sao esta estao
      fica permanece permanecem pode podem deve devem sugere sugerem sugestivo sugestivos sugestiva indica indicam
      mostra mostram revela revelam inclui incluem evidencia demonstra demonstram compativel compativeis consistente
      consistentes normais inespecificos inespecificas habituais esperados descritos descritas acima abaixo
      utilizada utilizado realizada realizado empregada diferencial provavel clinica clinico
    `),
  ),
  'en-US': new Set(
    wordList(`
      of in on at with that which and or for from to by as is are was were be been being has have had may might can
      could should would will suggest suggests suggesting suggestive indicate indicates include includes including
      show shows demonstrate demonstrates reveal reveals remain remains appear appears represent represents reflect
      reflects consistent compatible concerning worrisome above below described noted seen performed used today made
    `),
  ),
  'es-ES': new Set(
    wordList(`
      de del en con que y o u por para al a fue fueron es son esta estan era eran permanece permanecen puede pueden
      debe deben sugiere sugieren sugestivo sugestivos sugestiva indica indican muestra muestran revela revelan
      incluye incluyen evidencia demuestra demuestran compatible compatibles consistente consistentes normales
      inespecificos inespecificas habituales esperados descritos descritas utilizada realizada empleada diferencial
      probable clinica clinico se
    `),
  ),
};
