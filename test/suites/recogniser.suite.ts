/** What every recogniser keeps to, whichever it is: run for each entry of the registry. */
import { describe, expect, it } from 'vitest';
import type { Recogniser, TranscribeInput } from '../../server/engine/recogniser.ts';
import { createRulesWriter } from '../../server/engine/rules/rules-writer.ts';
import { languages } from '../../src/contract/shared.ts';

const signal = new AbortController().signal;
const writer = createRulesWriter();
const exam = {
  patient_name: 'Paciente Teste',
  modality: 'CT',
  exam_description: 'TC de tórax sem contraste',
  patient_sex: 'M',
  patient_age: '054Y',
};
const audio = { blob: 'b', bytes: 32044, sha256: 'a'.repeat(64), content_type: 'audio/wav', seconds: 14.2 } as const;
const spoken = { audio, read: () => expect.unreachable(), exam, purpose: 'record' } as const;

/** Runs the shared suite against one recogniser. */
export function describeRecogniser(name: string, create: () => Recogniser): void {
  describe(`${name}: transcribe`, () => {
    it.each(languages)('gives text in %s of which a document is made that lacks nothing', async (language) => {
      const recogniser = create();
      for (const template of writer.templates(language)) {
        const input: TranscribeInput = { ...spoken, language, template };
        const { text } = await recogniser.transcribe(input, signal);
        expect((await recogniser.transcribe(input, signal)).text).toBe(text);
        expect(writer.languageOf(text)).toBe(language);
        const { sections } = await writer.compose({ text, template, language, exam }, signal);
        for (const section of sections) expect(section.text, `${template.id} ${section.key}`).not.toBe('');
      }
    });

    it('stops when it is no longer wanted', async () => {
      const [template] = writer.templates('en-US');
      const input: TranscribeInput = { ...spoken, language: 'en-US', template: template! };
      await expect(create().transcribe(input, AbortSignal.abort())).rejects.toThrow();
    });
  });
}
