/** What test mode "hears", and the document that comes of it. */
import { describe, expect, it } from 'vitest';
import type { ExamContext } from '../../../server/speech/exam-context.ts';
import { compose, correct } from '../../../server/speech/rules/rules.ts';
import { createSimulatedRecogniser } from '../../../server/speech/simulated/simulated-recogniser.ts';
import { languages } from '../../../src/contract/shared.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { detectLanguage } from '../../../src/reporting/words/language.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';

const signal = new AbortController().signal;
/** Templates of those who hear the simulation. */
const forTests = Object.keys(shippedTemplates).filter((id) => shippedTemplates[id]!.inTestMode);
const audio = { blob: 'b', bytes: 9, sha256: 'c'.repeat(64), content_type: 'audio/wav', seconds: 18.5 } as const;
const chestCt: ExamContext = {
  patient_name: 'Paciente Anônimo',
  modality: 'CT',
  exam_description: 'TC de tórax sem contraste',
};

interface Heard {
  readonly sha256?: string;
  readonly purpose?: 'record' | 'instruction';
  readonly exam?: ExamContext | null;
}

const templateOf = (language: Language, id = 'test_template_general') =>
  templateIn(language, id, shippedTemplates[id]!);

async function hear(language: Language, { sha256 = audio.sha256, purpose = 'record', exam = chestCt }: Heard = {}) {
  const template = templateOf(language);
  const read = () => expect.unreachable();
  const input = { audio: { ...audio, sha256 }, read, language, template, exam, purpose };
  return (await createSimulatedRecogniser().transcribe(input, signal)).text;
}

/** Title of a section → its text. */
async function documentOf(text: string, language: Language, exam: ExamContext | null = chestCt) {
  const { sections } = compose({ heard: { text }, template: templateOf(language), language, exam });
  return Object.fromEntries(sections.map((section) => [section.title, section.text]));
}

describe('a simulated dictation', () => {
  it.each(languages.flatMap((language) => forTests.map((id) => [language, id] as const)))(
    'in %s for %s becomes a document that lacks nothing',
    async (language, id) => {
      const template = templateOf(language, id);
      const input = { audio, read: () => expect.unreachable(), language, template, exam: chestCt };
      const { text } = await createSimulatedRecogniser().transcribe({ ...input, purpose: 'record' }, signal);
      expect(detectLanguage(text)).toBe(language);
      const { sections } = compose({ heard: { text }, template, language, exam: chestCt });
      for (const section of sections) expect(section.text, section.key).not.toBe('');
    },
  );

  it.each([
    ['pt-BR', 'Transcrição simulada (modo de teste): ', 'Aviso'],
    ['en-US', 'Simulated transcript (test mode): ', 'Notice'],
    ['es-ES', 'Transcripción simulada (modo de prueba): ', 'Aviso'],
  ] as const)('says first, in %s, that it was not heard, and so does the document', async (language, words, title) => {
    const text = await hear(language);
    expect(text.startsWith(words)).toBe(true);
    expect(text).toContain('19 s');
    const document = await documentOf(text, language);
    expect(Object.keys(document)[0]).toBe(title);
    expect(document[title]).toBe(text.slice(0, text.indexOf('. ') + 1));
  });

  it.each([
    ['pt-BR', 'Paciente', 'Paciente Teste'],
    ['en-US', 'Patient', 'Test Patient'],
    ['es-ES', 'Paciente', 'Paciente Teste'],
  ] as const)(
    'is about the patient of the exam, in %s, and about any where there is none',
    async (language, title, any) => {
      // Names in the order of DICOM may come out either way round.
      for (const patient_name of ['Paciente Anônimo', 'Patient Test', 'Demo Patient']) {
        const exam = { ...chestCt, patient_name };
        expect((await documentOf(await hear(language, { exam }), language, exam))[title]).toBe(`${patient_name}.`);
      }
      expect((await documentOf(await hear(language, { exam: null }), language, null))[title]).toBe(`${any}.`);
    },
  );

  it('depends on the audio and nothing else', async () => {
    const texts = await Promise.all(
      [...'0123456789abcdef'].map((digit) => hear('pt-BR', { sha256: digit.repeat(64) })),
    );
    expect(new Set(texts).size).toBe(2);
    expect(await hear('pt-BR', { sha256: '0'.repeat(64) })).toBe(texts[0]);
  });
});

it.each(['pt-BR', 'en-US', 'es-ES'] as const)(
  'a simulated instruction in %s is carried out and seen to be simulated',
  async (language) => {
    const instruction = await hear(language, { purpose: 'instruction' });
    const sections = [{ key: 'impression', title: 'X', text: 'Normal.' }];
    const { changes } = correct({ instruction, sections, last: null, language });
    expect(changes).toHaveLength(1);
    expect(changes[0]?.after).toMatch(/^Normal\. .*simula/i);
  },
);
