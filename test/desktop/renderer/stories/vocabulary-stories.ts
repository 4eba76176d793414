/** The vocabulary in its states, and the import of a file. */
import type { KeptTerm } from '../../../../desktop/bridge/vocabulary.ts';
import { vocabulary } from '../../../../desktop/renderer/state/wordbook/vocabulary.ts';
import { session } from './scripted-bridge.ts';
import type { Script } from './scripted-bridge.ts';
import type { Story } from './story.ts';

const at = '#/?vocabulary';
const time = '2026-03-02T11:30:00.000Z';

const words: readonly (readonly [write: string, ...forms: string[]])[] = [
  ['Klatskin', 'clat skin', 'klatz kin'],
  ['McBurney', 'mac burney', 'mack burney'],
  ['Bosniak', 'bosnia', 'bosniaque'],
  ['Gadovist'],
  ['colangiorressonância', 'colangio ressonância'],
  ['Lugano'],
  ['gadobutrol', 'gado butrol'],
  ['Castleman'],
];
const term = (n: number): KeptTerm => {
  const [write, ...forms] = words[n % words.length]!;
  const round = Math.floor(n / words.length);
  return {
    id: `trm_${n}`,
    write: round === 0 ? write : `${write} ${round + 1}`,
    for: forms,
    language: n % 3 === 0 ? 'pt-BR' : null,
    owner: n % 2 === 0 ? 'person' : 'space',
    version: 1,
    created_at: time,
    updated_at: time,
    waits: false,
  };
};
const all = Array.from({ length: words.length }, (_, n) => term(n));

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));
const then = (act: () => unknown) => async () => {
  while (vocabulary.items.peek() === undefined) await settle();
  await act();
  await settle();
};
const change = async (): Promise<void> => {
  vocabulary.open.value = 'trm_0';
  vocabulary.edit({ for: ['clat skin', 'clatsquin'] });
  await vocabulary.save();
};

export function vocabularyStories(work: Script): Readonly<Record<string, Story>> {
  const script = (own: Script = {}): Script => ({
    ...work,
    'vocabulary.list': () => ({ items: all, as_of: new Date().toISOString() }),
    ...own,
  });
  const offline = script({
    'session.state': () => session({ online: false, waiting: 1 }),
    'vocabulary.list': () => ({
      items: all.map((each) => ({ ...each, waits: each.id === 'trm_0' })),
      as_of: new Date(Date.now() - 47 * 60_000).toISOString(),
    }),
  });
  return {
    vocabulary: { script: script(), at, then: then(() => (vocabulary.open.value = 'trm_1')) },
    'vocabulary-2000': {
      script: script({
        'vocabulary.list': () => ({ items: Array.from({ length: 2000 }, (_, n) => term(n)), as_of: time }),
      }),
      at,
    },
    'vocabulary-none': { script: script({ 'vocabulary.list': () => ({ items: [], as_of: time }) }), at },
    'vocabulary-taken': {
      script: script(),
      at,
      then: then(() => vocabulary.start({ write: 'Hilar', for: ['clat skin'], language: 'pt-BR' })),
    },
    'vocabulary-offline': { script: offline, at, then: then(() => (vocabulary.open.value = 'trm_0')) },
    'vocabulary-conflict': {
      script: script({
        'vocabulary.save': () => ({
          outcome: 'conflict',
          theirs: { ...all[0]!, for: ['clat skin', 'klatz kin', 'clask in'], version: 2 },
        }),
      }),
      at,
      then: then(change),
    },
    'vocabulary-deleted': {
      script: script({ 'vocabulary.delete': () => ({ outcome: 'deleted' }) }),
      at,
      then: then(() => vocabulary.remove(all[2]!)),
    },
    'vocabulary-import': {
      script: script({
        'vocabulary.import': () => ({
          created: 212,
          replaced: 0,
          unchanged: 4,
          problems: { count: 0, first: [] },
          unread: ['note'],
        }),
      }),
      at,
      then: then(() => vocabulary.importFile(new File(['Klatskin'], 'words.csv'), false)),
    },
    'vocabulary-import-refused': {
      script: script({
        'vocabulary.import': () => ({
          created: 0,
          replaced: 0,
          unchanged: 0,
          problems: {
            count: 2,
            first: [
              { place: { line: 3 }, message: 'write is that of a word that is there already' },
              {
                place: { line: 7 },
                message:
                  'for.0 must have the numbers, units, sides, places and negations of “esquerdo”, which are never changed',
              },
            ],
          },
          unread: [],
        }),
      }),
      at,
      then: then(() => vocabulary.importFile(new File(['Klatskin'], 'words.csv'), false)),
    },
  };
}
