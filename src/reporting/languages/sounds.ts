/**
 * The rough sound of letters: each row replaces letters, one row after the other. Words that a listener confuses become
 * equal. The rows see lower case without accents, except `ç` and `ñ`.
 */
import type { Language } from '../../contract/shared.ts';

export type SoundRows = readonly (readonly [letters: RegExp, sound: string])[];

/** Spellings that foreign words bring into every language. */
const foreign: SoundRows = [
  [/ph/g, 'f'],
  [/(?<![sc])th/g, 't'],
  [/rh/g, 'r'],
];

/** Letters that sound alike in Portuguese and Spanish. */
const iberian: SoundRows = [
  [/qu(?=[eiy])/g, 'k'],
  [/gu(?=[eiy])/g, 'g'],
  [/s?c(?=[eiy])/g, 's'],
  [/g(?=[eiy])/g, 'j'],
  [/[ckq]+/g, 'k'],
  [/y/g, 'i'],
  [/z/g, 's'],
  [/m(?=[bp]|$)/g, 'n'],
  [/h/g, ''],
];

const doubled: SoundRows = [[/(.)\1+/gu, '$1']];

export const sounds: Readonly<Record<Language, SoundRows>> = {
  'pt-BR': [
    [/ç/g, 's'],
    [/ñ/g, 'ni'],
    ...foreign,
    [/(?:s?ch|sh)/g, 'x'],
    [/lh/g, 'li'],
    [/nh/g, 'ni'],
    ...iberian,
    [/w/g, 'v'],
    [/xs|xc(?=[ei])/g, 's'],
    [/l(?![aeiou])/g, 'u'],
    [/e$/g, 'i'],
    [/o$/g, 'u'],
    ...doubled,
  ],
  'en-US': [
    [/ç/g, 's'],
    [/ñ/g, 'ni'],
    ...foreign,
    [/^(?:kn|gn|pn)/g, 'n'],
    [/^ps/g, 's'],
    [/^wr/g, 'r'],
    [/n(?=[bp])/g, 'm'],
    [/eu|ew/g, 'u'],
    [/[ct]ion|sion/g, 'xn'],
    [/sch|sk/g, 'sk'],
    [/ch(?=[lor])/g, 'k'],
    [/[cst]h/g, 'x'],
    [/dge?/g, 'j'],
    [/gh/g, 'g'],
    [/s?c(?=[eiy])/g, 's'],
    [/[ckq]+/g, 'k'],
    [/x/g, 'ks'],
    [/z/g, 's'],
    [/(?:ae|ea|ee|ie)/g, 'i'],
    [/(?:oo|ou)/g, 'u'],
    [/oe/g, 'e'],
    [/y/g, 'i'],
    [/e$/g, ''],
    ...doubled,
  ],
  'es-ES': [
    [/ç/g, 's'],
    [/ñ/g, 'ni'],
    ...foreign,
    [/(?:ch|sh)/g, 'X'],
    [/ll/g, 'i'],
    ...iberian,
    [/[vw]/g, 'b'],
    [/x/g, 'ks'],
    ...doubled,
  ],
};
