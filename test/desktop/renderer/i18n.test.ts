import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as english from '../../../desktop/renderer/i18n/en/index.ts';
import * as englishFileCodes from '../../../desktop/renderer/i18n/en/file-codes.ts';
import * as englishLate from '../../../desktop/renderer/i18n/en/late.ts';
import * as spanish from '../../../desktop/renderer/i18n/es/index.ts';
import * as spanishLate from '../../../desktop/renderer/i18n/es/late.ts';
import { ago, clockTime, duration, examTime, wallTime } from '../../../desktop/renderer/i18n/format.ts';
import { nearestLanguage, showLanguage, showLateWords, t } from '../../../desktop/renderer/i18n/index.ts';
import { appMessages } from '../../../src/contract/messages/app.ts';
import { fileMessages } from '../../../src/contract/messages/files.ts';
import { pageMessages } from '../../../src/contract/messages/page.ts';
import { defineTranslation } from '../../../src/contract/messages/message.ts';
import type { Wordings } from '../../../src/contract/messages/message.ts';
import * as portuguese from '../../../desktop/renderer/i18n/pt/index.ts';
import * as portugueseLate from '../../../desktop/renderer/i18n/pt/late.ts';
import { readModule, root } from '../../support/modules.ts';

const en = {
  ...english.en,
  ...englishLate,
  ...englishFileCodes,
  files: fileMessages,
  page: pageMessages,
  refusals: appMessages,
};
const es = { ...spanish.es, ...spanishLate };
const pt = { ...portuguese.pt, ...portugueseLate };

const slots = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([slot]) => slot).toSorted();
const formsOf = (message: Wordings[string]) => (typeof message === 'string' ? [message] : [message.one, message.other]);

describe.each([
  ['pt', pt],
  ['es', es],
] as const)('%s', (_, translation) => {
  test.each(Object.keys(en) as (keyof typeof en)[])('%s fills the same slots as English', (part) => {
    const [source, words] = [en[part] as Wordings, translation[part] as Wordings];
    for (const [key, message] of Object.entries(source)) {
      const expected = new Set(formsOf(message).flatMap(slots));
      const translated = words[key];
      expect(translated, `${part}.${key}`).toBeDefined();
      if (translated !== undefined)
        expect(new Set(formsOf(translated).flatMap(slots)), `${part}.${key}`).toEqual(expected);
    }
  });
});

test('a translation that lacks a wording, or has other slots, does not compile', () => {
  const translate = defineTranslation<{
    readonly read: 'Read {name} at {place}.';
    readonly files: { readonly one: 'A file.'; readonly other: '{n} files.' };
  }>();
  translate({ read: 'En {place}: {name}.', files: 'Archivos: {n}.' });
  // @ts-expect-error -- a wording is missing
  translate({ files: 'Archivos: {n}.' });
  // @ts-expect-error -- a slot is missing
  translate({ read: 'Leer {name}.', files: 'Archivos: {n}.' });
  // @ts-expect-error -- a slot is misspelt
  translate({ read: 'En {place}: {nombre}.', files: 'Archivos: {n}.' });
  // @ts-expect-error -- a slot has no value
  translate({ read: 'En {place}: {name} ({why}).', files: 'Archivos: {n}.' });
  // @ts-expect-error -- English has no such wording
  translate({ read: 'En {place}: {name}.', files: 'Archivos: {n}.', more: 'Más.' });
  expect(translate({ read: 'En {place}: {name}.', files: { one: 'Un archivo.', other: '{n} archivos.' } }).read).toBe(
    'En {place}: {name}.',
  );
});

test('plural forms depend on the number, numbers on the language', async () => {
  await showLanguage('en-US');
  expect([t('app.waiting', { n: 1 }), t('app.waiting', { n: 1200 })]).toEqual([
    '1 change waiting to be sent',
    '1,200 changes waiting to be sent',
  ]);
  await showLanguage('pt-BR');
  expect(t('app.waiting', { n: 2 })).toBe('2 alterações aguardam envio');
});

test('words that come with their view are there in each language that is shown after it', async () => {
  await showLanguage('en-US');
  await showLateWords();
  expect(t('owned.save')).toBe('Save');
  await showLanguage('es-ES');
  expect([t('owned.save'), t('app.close')]).toEqual(['Guardar', 'Cerrar']);
});

/** Of what is loaded before the first screen is there: all that these modules import, and what that imports. */
function sourcesFrom(paths: readonly string[]): Map<string, string> {
  const sources = new Map<string, string>();
  const read = (path: string): void => {
    if (sources.has(path) || !/\.tsx?$/.test(path)) return;
    const source = readFileSync(join(root, path), 'utf8');
    sources.set(path, source);
    for (const { kind, specifier, target } of readModule(path, source).imports)
      if (kind === 'static' && specifier.startsWith('.')) read(target);
  };
  paths.forEach(read);
  return sources;
}

test('the first screen says nothing of which the words come later', () => {
  const parts = Object.keys({ ...englishLate, ...englishFileCodes });
  const key = new RegExp(`['\`](${parts.join('|')})\\.(\\w+|\\$\\{)`, 'g');
  const screens = ['main.tsx', 'views/login/login.tsx', 'views/lock/lock.tsx'];
  const sources = sourcesFrom(screens.map((path) => `desktop/renderer/${path}`));
  // The bridge's calls have such names, too.
  const views = [...sources].filter(([path]) => path.startsWith('desktop/renderer/'));
  const said = views.flatMap(([path, source]) =>
    [...source.matchAll(key)]
      .filter(([, part, name]) => name === '${' || Object.hasOwn(en[part as keyof typeof en], name!))
      .map(([words]) => `${path}: ${words}`),
  );
  expect(said).toEqual([]);
  expect(views.length).toBeGreaterThan(50);
});

describe('while words load', () => {
  /** The words of a page that was just opened, and how the files of words of a language arrive. */
  async function openPage() {
    vi.resetModules();
    onTestFinished(() => void vi.resetModules());
    const arrivals = new Map<string, PromiseWithResolvers<void>>();
    for (const file of ['en/index', 'en/late', 'pt/index', 'pt/late', 'es/index', 'es/late']) {
      const path = `../../../desktop/renderer/i18n/${file}.ts`;
      const arrival = Promise.withResolvers<void>();
      arrivals.set(file, arrival);
      vi.doMock(path, async (original) => {
        await arrival.promise;
        return await original();
      });
      onTestFinished(() => void vi.doUnmock(path));
    }
    const words = await import('../../../desktop/renderer/i18n/index.ts');
    const arrive = (...files: string[]) => files.forEach((file) => arrivals.get(file)!.resolve());
    return { ...words, arrive, refuse: (file: string) => arrivals.get(file)!.reject(new Error('offline')) };
  }

  test.each([
    ['the language', ['pt/index', 'pt/late', 'en/late']],
    ['the words of a view', ['en/late', 'pt/late', 'pt/index']],
  ])('a view that is opened has its words in the language that was asked for: %s first', async (_, files) => {
    const page = await openPage();
    const shown = Promise.all([page.showLanguage('pt-BR'), page.showLateWords()]);
    page.arrive(...files);
    await shown;
    expect([page.t('app.close'), page.t('owned.save')]).toEqual(['Fechar', 'Salvar']);
  });

  test('the language asked for last is shown, whichever arrives first', async () => {
    const page = await openPage();
    const shown = Promise.all([page.showLanguage('pt-BR'), page.showLateWords(), page.showLanguage('es-ES')]);
    page.arrive('es/late', 'es/index', 'pt/late', 'pt/index', 'en/late');
    await shown;
    expect([page.shownLanguage(), page.t('app.close'), page.t('owned.save')]).toEqual(['es-ES', 'Cerrar', 'Guardar']);
  });

  test('a language that cannot be had leaves the page in its own, and the words of views come in that', async () => {
    const page = await openPage();
    page.arrive('en/index', 'en/late');
    await page.showLanguage('en-US');
    const refused = expect(page.showLanguage('pt-BR')).rejects.toThrow();
    page.refuse('pt/index');
    await refused;
    await page.showLateWords();
    expect([page.shownLanguage(), page.t('owned.save')]).toEqual(['en-US', 'Save']);
  });
});

test('the nearest language that there is', () => {
  expect(nearestLanguage(['de', 'pt-PT', 'en'])).toBe('pt-BR');
  expect(nearestLanguage(['es-419'])).toBe('es-ES');
  expect(nearestLanguage([])).toBe('en-US');
});

test('times are those on the wall of the hospital', async () => {
  await showLanguage('en-US');
  expect(clockTime(wallTime('2026-03-02T08:30:00-03:00'))).toBe('08:30');
  const now = Date.parse('2026-03-02T12:00:00Z');
  expect(examTime('2026-02-20T08:30:00-03:00', now)).toBe('Feb 20 08:30');
  expect(ago('2026-03-02T11:13:00Z', now)).toBe('47 min. ago');
  expect([duration(102), duration(3729.9)]).toEqual(['1:42', '1:02:09']);
});
