/** Macros: a sentence that is the name of an autotext gives way to its text. */
import { macroKey } from '../macros.ts';
import type { Macro } from '../macros.ts';
import type { Change } from '../operation.ts';
import { fatesOf, hullOf } from '../operation.ts';
import { phraseAt } from '../phrases.ts';
import type { PhraseIndex } from '../phrases.ts';
import { sentencesOf } from '../sentences.ts';
import type { Token } from '../token.ts';
import { normalForm } from '../../normal-form.ts';

/** `callers` are words that may stand before a name: "macro", "inserir texto". */
export function callMacros(tokens: readonly Token[], macros: readonly Macro[], callers: PhraseIndex<true>): Change[] {
  if (macros.length === 0) return [];
  const byName = new Map(macros.map((macro) => [macroKey(macro.name), macro]));
  const longest = Math.max(...[...byName.keys()].map((name) => name.split(' ').length));
  return sentencesOf(tokens).flatMap(({ from, to }): Change[] => {
    // After the name of a section the sentence begins anew: "Achados: tórax normal."
    const colon = tokens.slice(from, to).findLastIndex((token) => token.text === ':');
    const start = from + colon + 1;
    const called = phraseAt(tokens, start, callers)?.to ?? start;
    if (to - called > 2 * longest + 2) return [];
    const words = tokens.slice(called, to).filter((token) => token.kind === 'word' || token.kind === 'figure');
    const macro = byName.get(words.map((token) => token.folded).join(' '));
    if (!macro) return [];
    const hull = hullOf(tokens.slice(start, to));
    const block: Token = {
      kind: 'block',
      text: normalForm(macro.text),
      folded: '',
      spaced: true,
      ...hull,
      origin: 'macro',
      ...(macro.section !== undefined && { section: macro.section }),
    };
    return [{ rule: 'macro', from: start, to, out: [block], fates: fatesOf(tokens.slice(start, to), 'command') }];
  });
}
