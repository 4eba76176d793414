/** The commands for what a person or a space keeps: macros and vocabulary. */
import { expect } from 'vitest';
import { has, id } from './command-case.ts';
import type { Case } from './command-case.ts';

export const wordbookCases: Readonly<Record<string, Case>> = {
  'macro add': {
    words: (_, form) => ['macro', 'add', `normal chest ${form}`, 'Lungs clear.'],
    human: /^Id\tmac_/,
    data: has({ id: id('mac'), text: 'Lungs clear.', owner: 'person' }),
  },
  'macro list': {
    words: async (world) => {
      await world.macro('listed macro');
      return ['macro', 'list', '-q', 'listed'];
    },
    human: /^mac_\w{26}\tlisted macro\tperson\tany\t\tLungs clear\.\n$/,
    data: [has({ name: 'listed macro' })],
  },
  'macro show': {
    words: async (world) => ['macro', 'show', await world.macro('shown macro')],
    human: /^Name\tshown macro$/m,
    data: has({ name: 'shown macro' }),
  },
  'macro edit': {
    words: async (world) => ['macro', 'edit', await world.macro('edited macro'), 'Lungs are clear.'],
    human: /^Name\tedited macro$/m,
    data: has({ name: 'edited macro', text: 'Lungs are clear.' }),
  },
  'macro remove': {
    words: async (world) => ['macro', 'remove', await world.macro('removed macro'), '--yes'],
    data: has({ id: id('mac'), deleted: true }),
  },
  'macro import': {
    words: () => ['macro', 'import', '-', '--replace'],
    input: 'name,text\nimported macro,Lungs clear.\n',
    data: { created: expect.any(Number), replaced: 0, unchanged: expect.any(Number) },
  },
  'vocabulary add': {
    words: (_, form) => ['vocabulary', 'add', `Klatskin ${form}`, '--for', `clat skin ${form}`],
    human: /^Id\ttrm_/,
    data: has({ id: id('trm'), write: 'Klatskin json', owner: 'person' }),
  },
  'vocabulary list': {
    words: async (world) => {
      await world.term('listed term');
      return ['vocabulary', 'list', '-q', 'listed'];
    },
    human: /^trm_\w{26}\tlisted term\tperson\tany\t\n$/,
    data: [has({ write: 'listed term' })],
  },
  'vocabulary show': {
    words: async (world) => ['vocabulary', 'show', await world.term('shown term')],
    human: /^Write\tshown term$/m,
    data: has({ write: 'shown term' }),
  },
  'vocabulary edit': {
    words: async (world, form) => ['vocabulary', 'edit', await world.term('edited term'), '--for', `edit ${form}`],
    human: /^Write\tedited term$/m,
    data: has({ write: 'edited term', for: ['edit json'] }),
  },
  'vocabulary remove': {
    words: async (world) => ['vocabulary', 'remove', await world.term('removed term'), '--yes'],
    data: has({ id: id('trm'), deleted: true }),
  },
  'vocabulary import': {
    words: () => ['vocabulary', 'import', '-', '--replace'],
    input: 'imported term = important term\n',
    data: { created: expect.any(Number), replaced: 0, unchanged: expect.any(Number) },
  },
  'vocabulary export': {
    words: (_world, form) => ['vocabulary', 'export', ...(form === 'json' ? ['-o', 'words.csv'] : [])],
    human: /^write,for,language,owner\n/,
    data: has({ saved: 'words.csv' }),
  },
};
