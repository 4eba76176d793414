/** What every recogniser keeps to, whichever it is: run for each entry of the registry. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Recogniser, TranscribeInput } from '../../server/engine/recogniser.ts';
import { languages } from '../../src/contract/shared.ts';
import { shippedTemplates } from '../../src/domain/templates/shipped/index.ts';
import { templateIn } from '../../src/domain/templates/template.ts';
import { wav } from '../support/audio.ts';

const signal = new AbortController().signal;
const [[templateId, template]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
const exam = {
  patient_name: 'Paciente Teste',
  modality: 'CT',
  exam_description: 'TC de tórax sem contraste',
  patient_sex: 'M',
  patient_age: '054Y',
};
const sound = wav({ seconds: 2 });
const audio = {
  blob: 'b',
  bytes: sound.length,
  sha256: 'a'.repeat(64),
  content_type: 'audio/wav',
  seconds: 2,
} as const;
const spoken = (language: (typeof languages)[number]): TranscribeInput => ({
  audio,
  read: async () => Readable.from([sound.subarray(0, 1000), sound.subarray(1000)]),
  language,
  template: templateIn(language, templateId, template),
  exam,
  purpose: 'record',
});

/** Runs the shared suite against one recogniser. */
export function describeRecogniser(name: string, create: () => Recogniser): void {
  describe(`${name}: transcribe`, () => {
    it.each(languages)('gives the same text in %s each time it is asked', async (language) => {
      const recogniser = create();
      const { text } = await recogniser.transcribe(spoken(language), signal);
      expect((await recogniser.transcribe(spoken(language), signal)).text).toBe(text);
    });

    it('hears two at once as one after the other', async () => {
      const recogniser = create();
      const alone = [];
      for (const language of languages) alone.push(await recogniser.transcribe(spoken(language), signal));
      const together = languages.map((language) => recogniser.transcribe(spoken(language), signal));
      expect(await Promise.all(together)).toEqual(alone);
    });

    it('stops when it is no longer wanted', async () => {
      await expect(create().transcribe(spoken('en-US'), AbortSignal.abort())).rejects.toThrow();
    });
  });
}
