/**
 * Answers of a published model (Whisper base), recorded with the times of their words, replayed through the whole server: what
 * it asks about, and what it lets pass.
 */
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { startTranscriptionServer } from '../../support/fake-transcription-server.ts';
import { recordedAs, replyWith, soundFor } from '../../support/recorded-answers.ts';
import type { Recorded, RecordedWord } from '../../support/recorded-answers.ts';

const server = await startTranscriptionServer();
afterAll(() => server.close());
beforeEach(() => void (server.sounds.length = 0));

async function start(options: Record<string, string | number | boolean> = {}): Promise<Api> {
  const recogniser = { use: 'openai:whisper-1', options: { url: `${server.url}/v1`, ...options } };
  return startApi({ recogniser, testReal: true }, onTestFinished);
}

/** Sends a sound with a voice where the first answer has words, and answers as recorded. */
async function dictate(
  api: Api,
  { answers, language }: Pick<Recorded, 'answers' | 'language'>,
  voices?: readonly (readonly [number, number])[],
): Promise<MedicalRecord> {
  server.dialect = (_, count) => replyWith(answers[count - 1] ?? []);
  return api.generate({ audio: soundFor({ answers }, voices), language });
}

const found = ({ findings_to_review: findings = [] }: MedicalRecord, kind: string) =>
  findings.filter((finding) => finding.kind === kind && finding.status === 'open');

test('a denial that was misheard is asked about with both readings, and either settles it', async () => {
  const api = await start();
  const record = await dictate(api, recordedAs('denial'));
  const [finding, ...others] = found(record, 'heard_differently');
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    severity: 'question',
    readings: ['abilhá-se em cálculos', 'biliar sem cálculos'],
    message: '“abilhá-se em cálculos” ou “biliar sem cálculos”? O reconhecimento de voz ouviu os dois. Ouça.',
  });
  const { id, readings: [written = '', other = ''] = [], section = '' } = finding ?? {};
  const { transcript } = record;
  expect(transcript?.slice(finding?.transcript?.start, finding?.transcript?.end)).toBe(written);
  const { records, reviews } = contract;
  const sections = record.sections.map(({ key, title, text }) => ({
    key,
    title,
    text: key === section ? text.replace(written, other) : text,
  }));
  const params = { id: record.id };
  const dismissed = succeeded(
    await api.call(reviews.endpoints.decide, {
      params: { ...params, finding: id ?? '' },
      body: { status: 'dismissed' },
    }),
  ) as MedicalRecord;
  expect(found(dismissed, 'heard_differently')).toEqual([]);
  const corrected = succeeded(
    await api.call(records.endpoints.update, { params, body: { sections } }),
  ) as MedicalRecord;
  expect(corrected.sections.find(({ key }) => key === section)?.text).toContain('sem cálculos');
  expect(found(corrected, 'heard_differently')).toEqual([]);
});

test.each(['forms', 'equal'])('the same facts heard twice ask nothing: %s', async (name) => {
  const record = await dictate(await start(), recordedAs(name));
  expect(server.sounds.length).toBeGreaterThan(1);
  expect(found(record, 'heard_differently')).toEqual([]);
});

test('the second hearing has no prompt, and none is held where the operator wants one', async () => {
  const record = await dictate(await start({ twice: false }), recordedAs('denial'));
  expect(server.sounds).toHaveLength(1);
  expect(found(record, 'heard_differently')).toEqual([]);
  server.sounds.length = 0;
  await dictate(await start(), recordedAs('denial'));
  expect(server.sounds.map(({ fields }) => fields['prompt'] !== undefined)).toEqual([true, false, false, false]);
});

const words = (text: string, from: number, sureness?: number): RecordedWord[] =>
  text.split(' ').map((word, at): RecordedWord => {
    const [start, end] = [from + at / 2, from + at / 2 + 0.4];
    return sureness === undefined ? [word, start, end] : [word, start, end, sureness];
  });

test('of three hearings the operator decides how many have to differ; an unsure word needs fewer', async () => {
  const [before, after] = ['the liver is normal.', 'the spleen is normal.'];
  const [nine, nineteen] = ['nodule of 9 mm in the left lung.', 'nodule of 19 mm in the left lung.'];
  const ask = async (doubt: number, texts: readonly string[], sureness?: number) => {
    server.sounds.length = 0;
    const whole = words([before, nine, after].join(' '), 0, sureness);
    const answers = [whole, ...[before, ...texts, after].map((text) => words(text, 0.4))];
    return found(await dictate(await start({ doubt }), { answers, language: 'en-US' }), 'heard_differently').length;
  };
  expect(await ask(0.3, [nineteen])).toBe(1);
  expect(await ask(0.6, [nineteen, nine])).toBe(0);
  expect(await ask(0.6, [nineteen, nineteen])).toBe(1);
  expect(await ask(0.6, [nineteen, nine], 0.4)).toBe(1);
  expect(await ask(0.9, [nineteen, nineteen])).toBe(0);
});

test('speech that the server leaves out is heard again alone; what stays empty is asked about at its place', async () => {
  const first = words('the lungs are clear', 0);
  const voices = [...first, ...words('there is a small effusion', 6)].map(([, from, to]) => [from, to] as const);
  const hear = async (again: readonly RecordedWord[]) => {
    server.sounds.length = 0;
    return dictate(await start({ twice: false }), { answers: [first, again], language: 'en-US' }, voices);
  };
  const whole = await hear(words('there is a small effusion', 0.4));
  expect(whole.transcript).toBe('the lungs are clear there is a small effusion');
  expect(found(whole, 'little_understood')).toEqual([]);
  const lost = await hear([]);
  expect(lost.transcript).toBe('the lungs are clear');
  expect(found(lost, 'little_understood')).toMatchObject([{ severity: 'warning', transcript: { start: 19, end: 19 } }]);
});

test('speech over which the server stretches a small word is heard again alone', async () => {
  const before = words('the lungs are clear and the heart is normal there is', 0);
  const stretched: RecordedWord = ['a', 5.5, 8.4];
  const behind = words('in the left lung', 8.5);
  const voices = [[0, 10.4]] as const;
  server.sounds.length = 0;
  const answers = [[...before, stretched, ...behind], words('solid nodule', 0.5)];
  const record = await dictate(await start({ twice: false }), { answers, language: 'en-US' }, voices);
  expect(record.transcript).toBe(
    'the lungs are clear and the heart is normal there is a solid nodule in the left lung',
  );
  expect(server.sounds).toHaveLength(2);
});

describe('the language that is spoken', () => {
  const english = ['there is a nodule of 9 mm in the left lung', 'the heart is of normal size'] as const;
  const translated = ['há um nódulo de 9 mm no pulmão esquerdo', 'o coração tem tamanho normal'] as const;
  const fluent = 'the lungs were expanded and the heart was normal as was all that is seen of the upper abdomen';
  /** A server that translates into the language that it is held to; without one it names what `detect` says. */
  const speakInto = (held: string, open: string, detect: string) => {
    server.dialect = ({ fields, samples }) => {
      const isSentence = samples.length / 16_000 < 2.5;
      const [language, text] =
        fields['language'] !== undefined
          ? [fields['language'] as string, held]
          : isSentence && detect !== 'always English'
            ? ['pt', 'os pulmões estão limpos']
            : ['en', open];
      // Words all over the sound: what is left out would be heard again.
      const said = text.split(' ');
      const each = samples.length / 16_000 / said.length;
      const timed = said.map((word, at): RecordedWord => [word, at * each, (at + 1) * each]);
      return { body: { ...(replyWith(timed).body as object), language } };
    };
  };
  const whole = words(fluent, 0);
  const dictateFor = async (api: Api) => api.generate({ audio: soundFor({ answers: [whole] }), language: 'pt-BR' });

  test.each([
    ['with facts', english.join('. '), translated.join('. ')],
    ['without any', fluent, 'o que se vê da parte de cima do abdome tem o aspecto que se espera'],
  ])('is noticed %s, though what a model that is held to another writes is in that one', async (_, open, held) => {
    speakInto(held, open, 'truly');
    server.sounds.length = 0;
    const record = await dictateFor(await start());
    expect(record.transcript).toBe(held);
    expect(found(record, 'language_differs')).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('parece estar em inglês') as string },
    ]);
  });

  test('of a server that names English whatever it hears is not believed, and it is not asked again', async () => {
    speakInto(translated.join('. '), english.join('. '), 'always English');
    const api = await start();
    expect(found(await dictateFor(api), 'language_differs')).toEqual([]);
    server.sounds.length = 0;
    expect(found(await dictateFor(api), 'language_differs')).toEqual([]);
    expect(server.sounds.filter(({ fields }) => fields['language'] === undefined)).toEqual([]);
  });
});
