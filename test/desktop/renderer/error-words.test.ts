/** What errors say on a page that is not English: never the English sentences of the app and the service. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { errors as english } from '../../../desktop/renderer/i18n/en/errors.ts';
import { showLanguage } from '../../../desktop/renderer/i18n/index.ts';
import { errorWords } from '../../../desktop/renderer/state/error-words.ts';
import { reasonText } from '../../../desktop/renderer/views/recorder/reason.ts';
import { errors } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';

const codes = Object.keys(errors) as ErrorCode[];
const root = fileURLToPath(new URL('../../../', import.meta.url));
const app = join(root, 'desktop/app/dictations');
/** The sentences that the app says of dictations. */
const sentences = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [...readFileSync(join(app, name), 'utf8').matchAll(/(?:message|hint): '([^']+)'/g)])
  .map(([, sentence]) => sentence!);
/** Told to no person: the page asks rightly. */
const unheard = new Set([
  'There is no such take.',
  'Begin it first.',
  // They bring a reason, which says it (`reasonText`).
  'This dictation is being recorded in another window.',
  'This dictation was changed in another window.',
  'Choose again where to go on.',
  'The report of this exam is signed: it changes by an addendum.',
]);

describe.each(['pt-BR', 'es-ES'] as const)('in %s', (language) => {
  beforeEach(() => showLanguage(language));

  it.each(codes)('%s says nothing in English', (code) => {
    const { title } = errors[code];
    const told = errorWords({ code, message: title, hint: 'Try another one.' });
    expect(told.text).not.toBe('');
    expect(told.text).not.toMatch(/^errors\./);
    expect(Object.values(english) as string[]).not.toContain(told.text);
    expect(told.text).not.toContain(title);
    expect(told.hint).toBeUndefined();
    expect(reasonText({ code, message: title })).not.toContain(title);
  });

  it('each sentence of the app about a dictation is said in that language', () => {
    const heard = sentences.filter((sentence) => !unheard.has(sentence));
    expect(heard.length).toBeGreaterThan(8);
    const unknown = heard.filter(
      (sentence) => !(Object.values(english) as string[]).includes(sentence.replaceAll("'", '’')),
    );
    expect(unknown).toEqual([]);
    for (const sentence of heard) expect(errorWords({ code: 'NOT_FOUND', message: sentence }).text).not.toBe(sentence);
  });

  it('a code of a later version says that the service could not do it', () => {
    expect(errorWords({ code: 'OUT_OF_COFFEE', message: 'No coffee.' }).text).not.toContain('coffee');
  });
});

it('in English the sentence itself stands, but for that of a defect', async () => {
  await showLanguage('en-US');
  const words = { message: 'The disk is full.', hint: 'Make room.' };
  expect(errorWords({ code: 'STORAGE_UNAVAILABLE', ...words })).toEqual({ text: words.message, hint: words.hint });
  const defect = errorWords({ code: 'INTERNAL_ERROR', message: 'x is not a function' });
  expect(defect).toEqual({ text: english.ours, hint: undefined });
});
