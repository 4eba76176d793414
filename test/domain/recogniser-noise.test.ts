/** What speech models write besides what was said: it is kept beside the words, and never among them. */
import { describe, expect, it, test } from 'vitest';
import type { HeardText } from '../../src/domain/heard-text.ts';
import { withoutNoise } from '../../src/domain/recogniser-noise.ts';
import * as fc from '../support/properties.ts';
import { sampled } from '../support/explored.ts';
import { excessiveGrowth } from '../support/growth.ts';

const before = 'Findings. The lungs are clear.';
const after = 'No effusion.';
const heardOf = (text: string): HeardText => ({
  text,
  words: [...text.matchAll(/\S+/g)].map(({ 0: word, index: start }, at) => ({
    start,
    end: start + word.length,
    from: at,
    to: at + 1,
  })),
});
const reasons = ({ suppressed = [] }: HeardText): string[] => suppressed.map(({ reason }) => reason);

const noises = [
  '[BLANK_AUDIO]',
  '[ Silence ]',
  '(coughs)',
  '(Tosse)',
  '[MÚSICA]',
  '*sighs*',
  '♪',
  '♪♪♪',
  '<|endoftext|>',
  '<|startoftranscript|><|en|>',
  '<|0.00|>',
  '</s>',
  '<unk>',
  '<think>The user wants\na transcript.</think>',
  '[00:00:00.000 --> 00:00:04.500]',
  '00:01 --> 00:04,2',
  '[01:23]',
];

describe.each([
  [before, after],
  ['', after],
  [before, ''],
])('between %o and %o', (left, right) => {
  it.each(noises)('%s is left out and kept separately', (noise) => {
    const heard = withoutNoise(heardOf([left, noise, right].filter((part) => part !== '').join(' ')));
    expect(heard.text).toBe([left, right].filter((part) => part !== '').join(' '));
    expect(reasons(heard)).toEqual(['noise']);
    expect(heard.suppressed?.[0]?.from).toBe(left === '' ? 0 : 5);
  });
});

it.each([
  'Sure, here is the transcription of the audio:\n',
  "Here's the transcript:\n",
  'Transcription: ',
  'Claro, aqui está a transcrição do áudio: ',
  'Aquí está la transcripción: ',
])('the preface %o', (preface) => {
  const heard = withoutNoise({ text: `${preface}${before}` });
  expect([heard.text, reasons(heard)]).toEqual([before, ['noise']]);
});

it.each(['(inaudible)', '[UNINTELLIGIBLE]', '[inaudível]'])('%s takes words away', (mark) => {
  const heard = withoutNoise({ text: `${before} [Music] ${mark} ${after}` });
  expect([heard.text, reasons(heard)]).toEqual([`${before} ${after}`, ['inaudible']]);
});

it('an offer of more help', () => {
  const heard = withoutNoise({ text: `${before} Let me know if you need anything else!` });
  expect([heard.text, reasons(heard)]).toEqual([before, ['noise']]);
});

it('a thought that never ends', () => {
  const heard = withoutNoise({ text: `${before} <think>Let me see. ${'And again. '.repeat(4000)}` });
  expect([heard.text, reasons(heard)]).toEqual([before, ['noise']]);
  expect(heard.suppressed?.[0]?.text.length).toBeLessThanOrEqual(300);
});

test.each([
  ['Impressão: exame normal, ponto. Legendas pela comunidade Amara.org', 'Impressão: exame normal, ponto.'],
  ['Impressão: exame normal. Obrigado.', 'Impressão: exame normal.'],
  ['The lungs are clear. Thanks for watching, see you next time.', 'The lungs are clear.'],
  ['Normal. Thank you. Bye.', 'Normal.'],
  ['Conclusión: normal. Gracias por ver el vídeo.', 'Conclusión: normal.'],
  ['pulmões limpos obrigado por assistir', 'pulmões limpos'],
  ['Lungs clear. you', 'Lungs clear.'],
  ['Pulmones limpios. ¡Suscríbete!', 'Pulmones limpios.'],
  ['Legendas pela comunidade Amara.org. Pulmões limpos.', 'Pulmões limpos.'],
  ['Lungs clear. Subtitles by the Amara.org community. Stable.', 'Lungs clear. Stable.'],
  ['Muito obrigado. Pulmões limpos.', 'Muito obrigado. Pulmões limpos.'],
  ['the patient said thank you', 'the patient said thank you'],
  ['Gracias a la contrastación, el quiste se ve.', 'Gracias a la contrastación, el quiste se ve.'],
  ['Thank you for the referral of this patient.', 'Thank you for the referral of this patient.'],
])('what nobody dictates is left out, behind the last words and between sentences: %s', (heard, said) =>
  expect(withoutNoise({ text: heard }).text.trim()).toBe(said),
);

describe('a phrase that is repeated without end stays once', () => {
  it.each([
    ['the heart is normal', 12],
    ['well', 40],
    ['Não há derrame pleural.', 5],
    ['nodule in the right upper lobe of the lung that measures', 6],
  ])('%s, %i times', (phrase, times) => {
    const heard = withoutNoise(heardOf(`${before} ${Array<string>(times).fill(phrase).join(' ')} ${after}`));
    expect([heard.text.replace(/\.? No eff/, '. No eff'), reasons(heard)]).toEqual([
      `${before} ${phrase.replace(/\.$/, '')}. ${after}`,
      ['loop'],
    ]);
  });
});

it.each([
  'Nodule of 5 mm (image 12) in segment [two].',
  'C3-C4: normal. C4-C5: normal. C5-C6: normal. C6-C7: normal. C7-T1: normal.',
  'Zero zero zero zero zero zero zero zero.',
  '5 5 5 5 5 5 5 5',
  'No, no, no, not the left, the right.',
  'Exam at 10:30, contrast at 10:45.',
  'The patient coughs. There is silence of the heart sounds, and noise.',
  'Grade: 3 > 2 < 4 * 5.',
  'The transcript of the former exam is not at hand.',
  'Here is a lesion of 5 mm: round.',
  'Let me know if it grows.',
  'Sim. Sim. Sim. Sim.',
])('text that people may say stays as it is: %s', (text) => {
  expect(withoutNoise(heardOf(text))).toEqual(heardOf(text));
});

test('words keep their places and times, whatever is removed', () => {
  const parts = fc.array(
    fc.constantFrom('lungs', 'clear.', 'nódulo', '5', 'mm,', ...noises, 'so so so so so so so so so so so'),
    {
      maxLength: 14,
    },
  );
  fc.assert(
    fc.property(parts, (said) => {
      const heard = heardOf(said.join(' '));
      const kept = withoutNoise(heard);
      const wordAt = ({ start, end }: { start: number; end: number }, text: string) => text.slice(start, end);
      const byTime = new Map(heard.words?.map((word) => [word.from, wordAt(word, heard.text)]));
      let last = 0;
      for (const word of kept.words ?? []) {
        // A word that a noise touches keeps the rest of it.
        expect(byTime.get(word.from)).toContain(wordAt(word, kept.text));
        expect(word.start).toBeGreaterThanOrEqual(last);
        last = word.end;
      }
      expect(last).toBeLessThanOrEqual(kept.text.length);
      for (const { at } of kept.suppressed ?? []) expect(at).toBeLessThanOrEqual(kept.text.length);
      expect(withoutNoise(kept)).toEqual(kept);
    }),
    { numRuns: 60 },
  );
});

test.each(sampled(['a b ', '<think> ', '[ ', '5 ', 'here is ', '(cough ', 'no ', '<|', '00:00 '], 3))(
  'a long text of %j takes time in proportion to its length',
  async (part) => {
    const make = (times: number) => {
      const text = part.repeat(times);
      return () => withoutNoise({ text });
    };
    expect(await excessiveGrowth(make, { from: 10_000, largest: 40_000 })).toBeUndefined();
  },
);
