/** What is asked about sound that was not understood, as a whole. */
import { expect, it } from 'vitest';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { ofSound, ofWords } from '../../src/reporting/checks/sound-kinds.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';
import { write } from '../../src/reporting/write.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';

const { sections: template } = templateIn('en-US', 'chest_ct', shippedTemplates['chest_ct']!);

it.each([
  ['no word of a minute', '', { voiced: 61.2 }, 'little_understood', /1:01 .* 0 words/],
  ['two words of a minute', 'chest clear', { voiced: 61.2 }, 'little_understood', /1:01 .* 2 words/],
  ['a click', '', { voiced: 0.4 }, 'nothing_heard', /No speech/],
  ['a slow speaker', 'the lungs are clear there is no effusion', { voiced: 12 }, '', /^$/],
  ['the end of a file', 'lungs clear', { voiced: 1, ends: 'cut' }, 'sound_cut', /cut off/],
  ['a word that stops', 'lungs clear', { voiced: 1, ends: 'in_word' }, 'sound_cut', /middle of a word/],
  [
    'Portuguese',
    'os pulmões estão sem alterações e não há derrame nem nódulos, coração normal',
    { voiced: 8 },
    'language_differs',
    /Portuguese.*English/,
  ],
  ['a German word', 'kein pathologischer befund', { voiced: 2, language: 'de' }, 'language_differs', /German.*English/],
  ['English that is told to be German', 'the lungs are clear', { voiced: 2, language: 'de' }, '', /^$/],
  [
    'English with a drug of another language',
    'the patient had buscopan composto, there is no stone in the right kidney',
    { voiced: 8 },
    '',
    /^$/,
  ],
] as const)('sound of %s', (_, text, sound, told, message) => {
  const asked = ['nothing_heard', 'little_understood', 'language_differs', 'sound_cut'];
  const heard = { text, sound };
  const report = write({ heard, language: 'en-US', sections: template });
  const found = prepareChecks({ language: 'en-US', template, heard })(report.sections, report.provenance).filter(
    ({ kind }) => asked.includes(kind),
  );
  // One thing is said of a sound, the gravest.
  expect(found.map(({ kind }) => kind).join()).toBe(told);
  expect(found[0]?.message ?? '').toMatch(message);
});

it('asks about facts that were heard only once, after the words that began before them', () => {
  const heard: HeardText = {
    text: 'lungs clear nodule of 6 mm',
    words: [{ start: 0, end: 11, from: 0, to: 61 }],
    sound: { voiced: 65, once: [{ from: 61.5, to: 64.2 }] },
  };
  const report = write({ heard, language: 'en-US', sections: template });
  const found = prepareChecks({ language: 'en-US', template, heard })(report.sections, report.provenance);
  const asked = found.filter(({ kind }) => kind === 'heard_differently');
  expect(asked).toMatchObject([
    { severity: 'question', transcript: { start: 11, end: 11 }, message: expect.stringContaining('From 1:01 to 1:05') },
  ]);
});

it.each([
  ['a part', [{ from: 61.5, to: 70.2, language: 'pt' }], /^From 1:01 to 1:11 Portuguese/],
  ['most of it', [{ from: 0, to: 50, language: 'pt' }], /dictation seems to be in Portuguese/],
])('speech in another language is asked about where a recogniser detected it in %s', (_, foreign, message) => {
  const heard: HeardText = {
    text: 'the lungs are clear nodule of 6 mm',
    words: [{ start: 0, end: 19, from: 0, to: 61 }],
    sound: { voiced: 65, language: 'en', foreign },
  };
  const report = write({ heard, language: 'en-US', sections: template });
  const found = prepareChecks({ language: 'en-US', template, heard })(report.sections, report.provenance);
  expect(found.filter(({ kind }) => kind === 'language_differs')).toMatchObject([
    { severity: 'warning', message: expect.stringMatching(message) as string },
  ]);
});

it('sound in which nobody speaks is asked about, even where the template and the exam give the report words', () => {
  const heard = { text: '', sound: { voiced: 0 } };
  const sections = [{ key: 'technique', title: 'Technique', text: 'CT of the chest.' }];
  const run = { section: 'technique', start: 0, end: 16, heard: null };
  const kindsOf = (origin: 'exam' | 'template' | 'edited'): string[] =>
    prepareChecks({ language: 'en-US', template, heard })(sections, {
      words: [{ ...run, origin }],
      heard: [],
      operations: [],
    }).map(({ kind }) => kind);
  expect(kindsOf('exam')).toContain('nothing_heard');
  expect(kindsOf('template')).toContain('nothing_heard');
  // Somebody wrote the report instead.
  expect(kindsOf('edited')).not.toContain('nothing_heard');
});

it('speech without words is asked about behind the last word before it', () => {
  const text = 'findings. no effusion. impression. normal.';
  const words = [...text.matchAll(/\w+/g)].map(({ 0: word, index: start }, at) => ({
    start,
    end: start + word.length,
    from: at * 5,
    to: at * 5 + 1,
  }));
  const unheard = [
    { from: 12.2, to: 14.1 },
    { from: 62, to: 70 },
  ];
  const heard = { text, words, sound: { voiced: 12, unheard } };
  const report = write({ heard, language: 'en-US', sections: template });
  const found = prepareChecks({ language: 'en-US', template, heard })(report.sections, report.provenance);
  const asked = found.filter(({ kind }) => kind === 'little_understood');
  expect(asked.map(({ section, severity, start, message }) => [section, severity, start, message])).toEqual([
    ['findings', 'warning', 11, expect.stringMatching(/From 0:12 to 0:15/)],
    ['impression', 'warning', 6, expect.stringMatching(/From 1:02 to 1:10/)],
  ]);
});

it('with the transcript alone, only the kinds that come from the audio are missing', () => {
  const text = 'os pulmões estão sem alterações e não há derrame nem nódulos, coração normal';
  const words = [...text.matchAll(/[\p{L}]+/gu)].map(({ 0: word, index: start }, at) => ({
    start,
    end: start + word.length,
    confidence: at % 3 === 0 ? 0.1 : 0.9,
  }));
  const suppressed = [{ text: 'obrigado', at: 5, reason: 'silence' as const }];
  const otherReadings = [{ start: 3, end: 10, text: 'pulmão', doubt: 0.5 }];
  const unknown = [{ start: text.indexOf('normal'), end: text.length, near: ['formal'] }];
  const kindsOf = (heard: HeardText): string[] => {
    const report = write({ heard, language: 'en-US', sections: template });
    return prepareChecks({ language: 'en-US', template, heard })(report.sections, report.provenance).map(
      ({ kind }) => kind,
    );
  };
  const known = kindsOf({ text });
  const told = [
    { text, words, suppressed, otherReadings, unknown, sound: { voiced: 8, ends: 'cut' as const } },
    { text, sound: { voiced: 90, unchecked: [{ from: 1, to: 2 }] } },
    { text: 'lungs clear', sound: { voiced: 61 } },
  ].flatMap(kindsOf);
  expect(new Set(told.filter((kind) => !known.includes(kind)))).toEqual(new Set([...ofSound, ...ofWords]));
});
