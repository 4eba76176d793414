/** Dictations as physicians speak and write them, with the whole document that comes out. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ExamContext } from '../../../server/speech/exam-context.ts';
import { compose } from '../../../server/speech/rules/rules.ts';
import { chooseTitle } from '../../../server/records/dictation.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';

const chestCt: ExamContext = {
  patient_name: 'Paciente Teste',
  modality: 'CT',
  exam_description: 'TC de tórax sem contraste',
};

interface Case {
  readonly text: string;
  readonly template?: 'general' | 'cardiology' | 'dermatology';
  readonly language?: Language;
  readonly exam?: ExamContext | null;
}

/** The document as lines: its title, then `Section title: text`. */
async function documentOf({ text, template = 'general', language = 'pt-BR', exam = null }: Case): Promise<string[]> {
  const id = `test_template_${template}`;
  const form = templateIn(language, id, shippedTemplates[id]!);
  const { sections } = compose({ heard: { text }, template: form, language, exam });
  return [chooseTitle(form, exam), ...sections.map((section) => `${section.title}: ${section.text}`)];
}

const technique = 'Técnica: Exame de tomografia computadorizada: TC de tórax sem contraste.';

describe('general template', () => {
  it('pt-BR, dictated with spoken punctuation', async () => {
    const text =
      'paciente teste ponto indicação dois pontos tosse há cinco dias ponto achados dois pontos pulmões limpos vírgula ' +
      'sem derrame pleural ponto nódulo de três vírgula cinco milímetros no lobo superior direito ponto parágrafo ' +
      'conclusão nódulo pulmonar à direita ponto final';
    expect(await documentOf({ text, exam: chestCt })).toEqual([
      'TC de tórax sem contraste',
      'Paciente: Paciente teste.',
      'Indicação: Tosse há 5 dias.',
      technique,
      'Achados: Pulmões limpos, sem derrame pleural. Nódulo de 3,5 mm no lobo superior direito.',
      'Impressão: Nódulo pulmonar à direita.',
    ]);
  });

  it('en-US, written', async () => {
    const text =
      'Test Patient. Chest CT without contrast. Findings: lungs are clear, no effusion. Impression: normal examination.';
    expect(await documentOf({ text, language: 'en-US' })).toEqual([
      'Imaging report',
      'Patient: Test Patient.',
      'Technique: Chest CT without contrast.',
      'Findings: Lungs are clear, no effusion.',
      'Impression: Normal examination.',
    ]);
  });

  it('es-ES, dictated, with the coma that is a state', async () => {
    const text =
      'paciente teste punto hallazgos paciente en coma profundo punto sin derrame coma sin masas de uno coma dos ' +
      'centímetros punto y aparte impresión dos puntos estudio normal punto';
    expect(await documentOf({ text, language: 'es-ES', exam: chestCt })).toEqual([
      'TC de tórax sem contraste',
      'Paciente: Paciente teste.',
      'Técnica: Estudio de tomografía computarizada: TC de tórax sem contraste.',
      'Hallazgos: Paciente en coma profundo. Sin derrame, sin masas de 1,2 cm.',
      'Impresión: Estudio normal.',
    ]);
  });

  it('is not punctuated twice by an engine that writes both', async () => {
    const text =
      'Paciente Teste. Pulmões limpos, ponto. Sem derrame ponto. Impressão, dois pontos, exame normal, ponto.';
    expect(await documentOf({ text })).toEqual([
      'Laudo de exame de imagem',
      'Paciente: Paciente Teste.',
      'Achados: Pulmões limpos. Sem derrame.',
      'Impressão: Exame normal.',
    ]);
  });

  it('leaves the impression empty rather than making one up, and text without section names is findings', async () => {
    expect(await documentOf({ text: 'Test Patient. No acute fracture. No dislocation.', language: 'en-US' })).toEqual([
      'Imaging report',
      'Patient: Test Patient.',
      'Findings: No acute fracture. No dislocation.',
      'Impression: ',
    ]);
  });

  it('does not take a section name inside a sentence for one', async () => {
    const text =
      'Test Patient. Findings are consistent with prior. The impression of the lesion is unchanged. Impression of mass ' +
      'effect. Impression: stable.';
    expect(await documentOf({ text, language: 'en-US' })).toEqual([
      'Imaging report',
      'Patient: Test Patient.',
      'Findings: Findings are consistent with prior. The impression of the lesion is unchanged. Impression of mass effect.',
      'Impression: Stable.',
    ]);
  });

  it('keeps lists and takes headings written with marks', async () => {
    const text =
      'Test Patient\n\n**FINDINGS:**\n- nodule, 3 mm\n- no effusion\n\n**IMPRESSION:**\n1. Nodule.\n2. No effusion.';
    expect(await documentOf({ text, language: 'en-US' })).toEqual([
      'Imaging report',
      'Patient: Test Patient.',
      'Findings: - Nodule, 3 mm.\n- No effusion.',
      'Impression: 1. Nodule.\n2. No effusion.',
    ]);
  });

  it('joins what was said under one name twice, and gains a section that it does not have', async () => {
    const text = 'Achados: pulmões limpos. Impressão: normal. Achados: sem derrame. Recomendação: controle em 6 meses.';
    expect(await documentOf({ text })).toEqual([
      'Laudo de exame de imagem',
      'Achados: Pulmões limpos. Sem derrame.',
      'Impressão: Normal.',
      'Recomendações: Controle em 6 meses.',
    ]);
  });

  it('prefers the technique that was dictated', async () => {
    const text = 'Paciente Teste. Técnica: aquisição volumétrica sem contraste. Achados: normais.';
    expect(await documentOf({ text, exam: chestCt })).toContain('Técnica: Aquisição volumétrica sem contraste.');
  });

  it('makes a document of the sample dictation', async () => {
    const text = readFileSync(new URL('../../../samples/dictation.txt', import.meta.url), 'utf8');
    expect(await documentOf({ text, exam: chestCt })).toEqual([
      'TC de tórax sem contraste',
      'Paciente: Paciente teste.',
      'Indicação: Tosse e febre há 5 dias.',
      technique,
      'Achados: Nódulo sólido de 6 mm no lobo superior direito. Sem derrame pleural.',
      'Impressão: Nódulo pulmonar à direita.',
    ]);
  });
});

describe('other templates', () => {
  it('cardiology: measurements, and an impression called conclusion', async () => {
    const text =
      'Paciente Teste. Ecocardiograma transtorácico. Medidas: átrio esquerdo 38 mm, fração de ejeção sessenta e dois por ' +
      'cento. Achados: ventrículos normais, sem derrame pericárdico. Impressão: exame normal.';
    expect(await documentOf({ text, template: 'cardiology' })).toEqual([
      'Laudo de exame cardiológico',
      'Paciente: Paciente Teste.',
      'Técnica: Ecocardiograma transtorácico.',
      'Medidas: Átrio esquerdo 38 mm, fração de ejeção 62%.',
      'Achados: Ventrículos normais, sem derrame pericárdico.',
      'Conclusão: Exame normal.',
    ]);
  });

  it('dermatology: findings are the examination, the impression is the diagnosis', async () => {
    const text =
      'Test Patient. Complains of an itchy plaque. Findings: scaly plaque of 2 cm, no bleeding. Impression: psoriasis. ' +
      'Plan: emollients.';
    expect(await documentOf({ text, template: 'dermatology', language: 'en-US', exam: chestCt })).toEqual([
      'TC de tórax sem contraste',
      'Patient: Test Patient.',
      'History: Complains of an itchy plaque.',
      'Dermatological examination: Scaly plaque of 2 cm, no bleeding.',
      'Diagnosis: Psoriasis.',
      'Plan: Emollients.',
    ]);
  });
});

describe('titles', () => {
  it('are no longer than a record may have', async () => {
    const exam = { ...chestCt, exam_description: 'tomografia '.repeat(60) };
    const [title] = await documentOf({ text: 'x', exam });
    expect(title?.length).toBeLessThanOrEqual(200);
    expect(title).toMatch(/^tomografia .*tomografia…$/);
  });
});
