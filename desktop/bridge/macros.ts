/** Autotexts of the person and of the department. */
import { Macro } from '../../src/contract/macro.ts';
import { only } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { defineLocalEntry, wordbookCalls } from './wordbook.ts';

/** The fields of an autotext that a person edits. */
export const macroFields = ['name', 'text', 'section', 'language', 'owner'] as const;
const MacroWords = only(Macro, ...macroFields);
export type MacroWords = TypeOf<typeof MacroWords>;

const KeptMacro = defineLocalEntry('KeptMacro', Macro);
export type KeptMacro = TypeOf<typeof KeptMacro>;

const of = wordbookCalls({
  nouns: 'autotexts',
  item: Macro,
  kept: KeptMacro,
  words: MacroWords,
  defaults: only(Macro, 'language', 'owner'),
});

export const macroCalls = {
  'macros.list': of.list,
  'macros.save': of.save,
  'macros.delete': of.delete,
  'macros.import': of.import,
} as const;
