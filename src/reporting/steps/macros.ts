/** Macros: replaces a sentence that is the name of an autotext with its text. */
import { indexMacros, macroCalledBy } from '../vocabulary/macros.ts';
import type { Macro, MacroWords } from '../vocabulary/macros.ts';
import type { NumberWords } from '../numbers/numeral.ts';
import type { Change } from '../operation.ts';
import { buildFates, findHull } from '../operation.ts';
import { sectionNameAt } from '../sections/section-names.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { splitSentences } from '../words/sentences.ts';
import type { Token } from '../words/token.ts';
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
  /** Calls beyond `maxMacroText`: their words stay. */
  readonly refused: readonly { readonly from: number; readonly to: number }[];
}

export function callMacros(tokens: readonly Token[], macros: readonly Macro[], context: MacroContext): Calls {
  const changes: Change[] = [];
  const refused: { from: number; to: number }[] = [];
  if (macros.length === 0) return { changes, refused };
  const index = indexMacros(macros, context.words, context.numbers);
  let brought = 0;
  for (const { from, to } of splitSentences(tokens)) {
    // The whole sentence first: "conclusão normal" may be a name, although "conclusão" is also a section's.
    const starts = new Set([from, afterHeading(tokens, from, context.sectionNames)]);
    const [call] = Array.from(starts).flatMap((start) => {
      const macro = macroCalledBy(tokens, { from: start, to }, index);
      return macro ? [{ start, macro }] : [];
    });
    if (!call) continue;
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
