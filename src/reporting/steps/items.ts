/**
 * Numbered items of a list that are announced: "number one pleural thickening, number two old rib fractures", "first,
 * …", "one. …".
 */
import type { PhraseIndex } from '../words/phrases.ts';
import { phraseAt } from '../words/phrases.ts';
import type { Change } from '../operation.ts';
import { findHull } from '../operation.ts';
import { beginsText } from '../sections/section-names.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { integerAt } from '../numbers/numeral.ts';
import type { NumberWords } from '../numbers/numeral.ts';
import { writtenTokens } from '../words/token.ts';
import type { Token } from '../words/token.ts';

export interface ItemWords {
  /** "number", "item". */
  readonly nouns: PhraseIndex<true>;
  /** "first", "second" …, to their numbers. */
  readonly ordinals: ReadonlyMap<string, number>;
  readonly numbers: NumberWords;
  readonly sections: SectionNames;
}

/** An announcement, with the mark after it: tokens `from` up to `to`. */
interface Item {
  readonly from: number;
  readonly to: number;
  readonly number: number;
  /** "One." is a number and its full stop as they are written, at whatever place. */
  readonly isWritten: boolean;
}

/** Each announced item begins a line with its number; a single one is no list. */
export function writeItems(tokens: readonly Token[], words: ItemWords): Change[] {
  const changes: Change[] = [];
  let run: Item[] = [];
  const end = (): void => {
    if (run.length > 1) changes.push(...run.map((item) => buildItem(tokens, item)));
    run = [];
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const item = itemAt(tokens, at, words);
    if (!item) continue;
    if (item.number !== run.length + 1) end();
    if (item.number === run.length + 1) run.push(item);
    at = item.to - 1;
  }
  end();
  return changes;
}

/** The announcement at the beginning of a sentence or of the text of a section. */
function itemAt(tokens: readonly Token[], at: number, words: ItemWords): Item | undefined {
  if (tokens[at]?.kind !== 'word' || !beginsText(tokens, at, words.sections)) return undefined;
  const noun = phraseAt(tokens, at, words.nouns);
  const number = numberAt(tokens, noun?.to ?? at, noun === undefined, words);
  if (!number) return undefined;
  const hasMark = /^[.,:;]$/.test(tokens[number.to]?.text ?? '');
  // "First rib": without a noun only a mark makes it an announcement.
  const to = hasMark ? number.to + 1 : number.to;
  if ((!noun && !hasMark) || tokens[to] === undefined) return undefined;
  return { from: at, to, number: number.value, isWritten: !noun && tokens[number.to]?.text === '.' };
}

function numberAt(
  tokens: readonly Token[],
  at: number,
  mayBeOrdinal: boolean,
  { ordinals, numbers }: ItemWords,
): { readonly value: number; readonly to: number } | undefined {
  const ordinal = mayBeOrdinal ? ordinals.get(tokens[at]?.folded ?? '') : undefined;
  if (ordinal !== undefined) return { value: ordinal, to: at + 1 };
  const numeral = integerAt(tokens, at, numbers);
  return numeral && !numeral.isDecimal ? { value: Number(numeral.digits), to: numeral.to } : undefined;
}

function buildItem(tokens: readonly Token[], { from, to, number, isWritten }: Item): Change {
  const hull = findHull(tokens.slice(from, to));
  const beginsLine = number > 1 && !isWritten && tokens[from - 1]?.kind !== 'break';
  const text = `${beginsLine ? '\n' : ''}${number}.`;
  return {
    rule: 'item',
    from,
    to,
    out: writtenTokens(text, hull.from, hull.to, true),
    fates: [{ ...hull, fate: 'converted' }],
  };
}
