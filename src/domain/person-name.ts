/** DICOM person names (VR PN, DICOM PS3.5 6.2.1): `family^given^middle^prefix^suffix`, groups of writing split by `=`. */

import { fold } from './fold.ts';

/** Words inside a name that stay small where the name came in capitals. */
const particles = new Set('da das de del della den der di do dos du e la las los van von y zu'.split(' '));

/** Suffixes that are written in capitals: numbers and degrees. */
const capitalSuffix = /^(?:[IVX]+|MD|PHD|RN|DDS)$/;

/** Words of Latin letters, at least one with a small one of ASCII, between single spaces: shown as they are. */
const asWritten = /^(?=[^a-z]*[a-z])[!-<>-\]_-~\u00c0-\u02ff]+(?: [!-<>-\]_-~\u00c0-\u02ff]+)*$/;

/**
 * The name as a person would write it, `prefix given middle family, suffix`, of the first group that is not empty. A
 * name in capitals is given small letters (`TESTE^PACIENTE` → `Paciente Teste`); one that mixes cases stays as it is.
 * A name without `^` keeps its order.
 */
export function displayName(name: string): string {
  // Most names: in no components, not in capitals, with single spaces.
  if (asWritten.test(name)) return name;
  const group = name.split('=').find((candidate) => /[^\s^]/.test(candidate));
  if (group === undefined) return name.trim();
  const components = group.split('^').map((component) => component.trim().replace(/\s+/g, ' '));
  const [family = '', given = '', middle = '', prefix = '', suffix = '', ...further] = components;
  const parts = [prefix, given, middle, family, ...further].filter((part) => part !== '');
  const inCapitals = group === group.toUpperCase() && group !== group.toLowerCase();
  const main = (inCapitals ? parts.map((part, at) => inSmallLetters(part, at === 0)) : parts).join(' ');
  if (suffix === '') return main;
  const shownSuffix = inCapitals && !capitalSuffix.test(suffix) ? inSmallLetters(suffix, true) : suffix;
  return main === '' ? shownSuffix : `${main}, ${shownSuffix}`;
}

const plainWord = /^[a-z]*$/;

/** A particle stays a capital at the start of the whole name and where it is all of a component: an initial, a short name. */
function inSmallLetters(part: string, opensName: boolean): string {
  const words = part.split(' ');
  return words
    .map((word, at) => {
      const small = word.toLowerCase();
      const isParticle = words.length > 1 && at < words.length - 1 && particles.has(small);
      return isParticle && !(opensName && at === 0)
        ? small
        : plainWord.test(small)
          ? small.charAt(0).toUpperCase() + small.slice(1)
          : small.replace(/(?<![\p{L}\p{M}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
    })
    .join(' ');
}

/** Titles before a name, folded, without their full stops. */
const titles = new Set(
  'dr dra drs doctor doctora doutor doutora prof profa professor professora mr mrs ms miss sr sra srta'.split(' '),
);

/** Writing systems in which the family name comes first. */
const familyFirst = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・ ]+$/u;

/**
 * The components of a name as a person writes it (`Dra. Helena Prado` → `Prado^Helena^^Dra.`): the last word, with the particles
 * before it, is the family name. `displayName` writes the same name again. A name in components stays as it is.
 */
export function toComponents(name: string): string {
  if (/[\^=]/.test(name)) return name;
  const [main = '', ...degrees] = name.split(',').map((part) => part.trim());
  const words = main.split(/\s+/);
  const isTitle = (word: string): boolean => titles.has(fold(word).replace(/[.ªº]/g, ''));
  const named = words.slice(0, -1).findIndex((word) => !isTitle(word));
  const first = named < 0 ? words.length - 1 : named;
  const [prefix, rest] = [words.slice(0, first), words.slice(first)];
  const isEastern = familyFirst.test(rest.join(' '));
  let family = isEastern ? 1 : rest.length - 1;
  if (!isEastern) while (family > 1 && particles.has((rest[family - 1] ?? '').toLowerCase())) family -= 1;
  const [one, other] = [rest.slice(0, family).join(' '), rest.slice(family).join(' ')];
  const names = isEastern ? [one, other] : [other, one];
  const components = [...names, '', prefix.join(' '), degrees.join(', ')];
  return components.slice(0, components.findLastIndex((part) => part !== '') + 1).join('^');
}
