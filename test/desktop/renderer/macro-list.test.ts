import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import type { KeptMacro } from '../../../desktop/bridge/macros.ts';
import { macros, findNamesake, splitParts, spokenWords } from '../../../desktop/renderer/state/wordbook/macros.ts';
import { noFilter } from '../../../desktop/renderer/state/wordbook/entry-list.ts';

const { listed, rivalOf } = macros;
const macro = (id: string, change: Partial<KeptMacro> = {}): KeptMacro => ({
  id,
  name: 'tórax normal',
  text: 'Pulmões limpos.',
  section: 'findings',
  language: 'pt-BR',
  owner: 'person',
  version: 1,
  created_at: '2026-03-02T11:30:00.000Z',
  updated_at: '2026-03-02T11:30:00.000Z',
  waits: false,
  ...change,
});
const ids = (items: readonly KeptMacro[]) => items.map(({ id }) => id);

test('matches in names come before matches in texts, without accents', () => {
  const items = [
    macro('text', { name: 'abdome', text: 'Sem derrame no tórax.' }),
    macro('ten', { name: 'tórax 10' }),
    macro('two', { name: 'Torax 2' }),
    macro('other', { name: 'crânio', text: 'Normal.' }),
  ];
  expect(ids(listed(items, { ...noFilter, query: 'TORAX' }))).toEqual(['two', 'ten', 'text']);
  expect(ids(listed(items, noFilter))).toEqual(['text', 'other', 'two', 'ten']);
});

test('a text for every language belongs to any; owners and sections are distinguished', () => {
  const items = [
    macro('any', { name: 'a', language: null }),
    macro('en', { name: 'b', language: 'en-US', owner: 'space' }),
    macro('none', { name: 'c', section: null }),
  ];
  expect(ids(listed(items, { ...noFilter, language: 'en-US' }))).toEqual(['any', 'en']);
  expect(ids(listed(items, { ...noFilter, owner: 'space' }))).toEqual(['en']);
  expect(ids(listed(items, { ...noFilter, section: 'findings' }))).toEqual(['any', 'en']);
});

test('two of one owner and language may not be called alike; a person’s goes before the department’s', () => {
  const items = [macro('mine'), macro('any', { language: null }), macro('ours', { owner: 'space', language: null })];
  const words = macro('new', { name: 'Torax, normal' });
  expect(rivalOf(words, null, items)?.id).toBe('mine');
  expect(rivalOf(words, 'mine', items)).toBeUndefined();
  expect(rivalOf({ ...words, language: 'es-ES' }, null, items)).toBeUndefined();
  expect(findNamesake(words, items)?.id).toBe('ours');
  expect(findNamesake({ ...words, owner: 'space', language: 'en-US' }, items)?.id).toBe('any');
  expect(rivalOf({ ...words, name: '…' }, null, [macro('x', { name: '' })])).toBeUndefined();
  expect(['', '…', 'normal', 'tórax normal'].map(spokenWords)).toEqual([0, 0, 1, 2]);
});

test('fields are distinguished from other words in brackets', () => {
  const parts = splitParts('No [lado: direito|esquerdo], [mm], [__ mm], [sic e [aberto');
  expect(parts.filter(({ field }) => field).map(({ text }) => text)).toEqual(['[lado: direito|esquerdo]', '[__ mm]']);
  expect(parts.filter(({ isStray }) => isStray).map(({ text }) => text)).toEqual(['[mm]', '[sic e ', '[aberto']);
});

test('the parts are the text, whatever it is', () => {
  const piece = fc.constantFrom('[', ']', '|', ':', '__', ' mm', '\n', 'a');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(
        splitParts(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
