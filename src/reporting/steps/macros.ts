/** Macros: replaces a sentence that is the name of an autotext with its text. */
import { bringsNormal, callsNormals, indexMacros, macroCalledBy, macroKey, wordsOf } from '../vocabulary/macros.ts';
import type { Macro, MacroWords } from '../vocabulary/macros.ts';
import { alignWords } from '../checks/edit-distance.ts';
import { phraseEndsAt } from '../words/phrases.ts';
import type { NumberWords } from '../numbers/numeral.ts';
import type { Change } from '../operation.ts';
import { buildFates, findHull } from '../operation.ts';
import { sectionNameAt } from '../sections/section-names.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { splitSentences } from '../words/sentences.ts';
import { stem } from '../words/stem.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';
import { normalForm } from '../../domain/normal-form.ts';

export interface MacroContext {
  readonly words: MacroWords;
  readonly numbers: NumberWords;
  readonly sectionNames: SectionNames;
  /** Whether the report has the section: a macro of another one goes where it was called. */
  readonly hasSection: (key: string) => boolean;
}

/** Characters that macros add to one report: no report is longer, and a name of one letter is soon said often. */
const maxMacroText = 200_000;

interface Calls {
  readonly changes: readonly Change[];
  /** Calls beyond `maxMacroText`, and those of a name that was probably misheard: their words stay. */
  readonly refused: readonly { readonly from: number; readonly to: number }[];
}

export function callMacros(tokens: readonly Token[], macros: readonly Macro[], context: MacroContext): Calls {
  const changes: Change[] = [];
  const refused: { from: number; to: number }[] = [];
  if (macros.length === 0) return { changes, refused };
  const index = indexMacros(macros, context.words, context.numbers);
  const normal = macros.filter(bringsNormal);
  let brought = 0;
  for (const { from, to } of splitSentences(tokens)) {
    // The whole sentence first: "conclusão normal" may be a name, although "conclusão" is also a section's.
    const starts = new Set([from, afterHeading(tokens, from, context.sectionNames)]);
    const [call] = Array.from(starts).flatMap((start) => {
      const macro = macroCalledBy(tokens, { from: start, to }, index);
      return macro ? [{ start, macro }] : [];
    });
    if (!call) {
      // A macro that somebody named "normals" is called by that name.
      const called = [...starts].find((start) => callsNormals(tokens, { from: start, to }, context.words));
      if (called !== undefined && normal.length > 0) {
        changes.push(insertNormals(tokens, { from: called, to }, normal, context));
        continue;
      }
      if (Array.from(starts).some((start) => isMisheard(tokens, { from: start, to }, macros, context)))
        refused.push({ from, to });
      continue;
    }
    const { start, macro } = call;
    const text = normalForm(macro.text);
    if (brought + text.length > maxMacroText) {
      refused.push({ from: start, to });
      continue;
    }
    brought += text.length;
    const said = tokens.slice(start, to);
    const block: Token = {
      kind: 'block',
      text,
      folded: '',
      spaced: true,
      ...findHull(said),
      origin: 'macro',
      ...(macro.section !== undefined && context.hasSection(macro.section) && { section: macro.section }),
    };
    const { name, owner } = macro;
    changes.push({
      rule: 'macro',
      from: start,
      to,
      out: [block],
      fates: buildFates(said, 'command'),
      macro: { name, ...(owner && { owner }) },
    });
  }
  return { changes, refused };
}

/** All texts for normal findings, each in its section. */
function insertNormals(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  macros: readonly Macro[],
  { hasSection }: MacroContext,
): Change {
  const said = tokens.slice(from, to);
  const hull = findHull(said);
  const out = macros.map(({ text, section }): Token => ({
    kind: 'block',
    text: normalForm(text),
    folded: '',
    spaced: true,
    ...hull,
    origin: 'macro',
    isNormal: true,
    ...(section !== undefined && hasSection(section) && { section }),
  }));
  const [{ name, owner }] = [elementAt(macros, 0)];
  return {
    rule: 'normals',
    from,
    to,
    out,
    fates: buildFates(said, 'command'),
    macro: { name, ...(owner && { owner }) },
  };
}

/** The longest name that is compared by its letters, in words, and one letter in how many may differ. */
const maxNameWords = 5;
const oneIn = 5;

/** The shortest name of several words that is recognised without a call word, in letters. */
const minBareName = 10;

/** "Insert normal ches", "normal ches": a sentence that is nearly the name of a macro, after a call word or alone. */
function isMisheard(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  macros: readonly Macro[],
  { words }: MacroContext,
): boolean {
  const alone = wordsOf(tokens.slice(from, to));
  // "Normal heart" is no misheard "normal chest", nor are "normal chests".
  const isBare = ({ name }: Macro): boolean => {
    const key = macroKey(name);
    return key.includes(' ') && key.length >= minBareName && stem(alone) !== stem(key) && differsInOne(alone, key);
  };
  if (alone.includes(' ') && macros.some(isBare)) return true;
  return phraseEndsAt(tokens, from, words.callers).some((start) => {
    const said = wordsOf(tokens.slice(start, to));
    if (said === '' || said.split(' ').length > maxNameWords) return false;
    return macros.some(({ name }) => isNearly(said, macroKey(name)));
  });
}

/** Whether one letter in five differs at most. */
const isNearly = (said: string, name: string): boolean => differsIn(said, name, Math.floor(name.length / oneIn));
const differsInOne = (said: string, name: string): boolean => differsIn(said, name, 1);

function differsIn(said: string, name: string, max: number): boolean {
  if (max === 0 || Math.abs(said.length - name.length) > max) return false;
  const [a, b] = [[...said], [...name]];
  const different = alignWords(a, b).filter(
    ({ from, to }) => from === undefined || to === undefined || a[from] !== b[to],
  );
  return different.length <= max;
}

/** The token after the name of a section, with which the sentence begins: "Achados: tórax normal", "achados tórax normal". */
function afterHeading(tokens: readonly Token[], from: number, names: SectionNames): number {
  let start = from;
  while (/^[*_#•]$/.test(tokens[start]?.text ?? '')) start += 1;
  const heading = sectionNameAt(tokens, start, names);
  if (!heading) return from;
  let to = heading.to;
  while (/^[*_]$/.test(tokens[to]?.text ?? '')) to += 1;
  const hasColon = /^[:–—-]$/.test(tokens[to]?.text ?? '');
  if (!hasColon && heading.value.needsColon) return from;
  while (/^[:*_–—-]$/.test(tokens[to]?.text ?? '')) to += 1;
  return to;
}
