/** Numbered items of a list that are announced: "number one pleural thickening, number two old rib fractures". */
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
  readonly numbers: NumberWords;
  readonly sections: SectionNames;
}

/** An announcement, with the mark after it: tokens `from` up to `to`. */
interface Item {
  readonly from: number;
  readonly to: number;
  readonly number: number;
}

/** Each item begins a line with its number; a single one is no list. */
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
function itemAt(tokens: readonly Token[], at: number, { nouns, numbers, sections }: ItemWords): Item | undefined {
  const noun = tokens[at]?.kind === 'word' ? phraseAt(tokens, at, nouns) : undefined;
  if (!noun || !beginsText(tokens, at, sections)) return undefined;
  const numeral = integerAt(tokens, noun.to, numbers);
  if (!numeral || numeral.isDecimal) return undefined;
  const mark = tokens[numeral.to];
  const to = mark?.kind === 'mark' && /^[.,:;]$/.test(mark.text) ? numeral.to + 1 : numeral.to;
  return tokens[to] === undefined ? undefined : { from: at, to, number: Number(numeral.digits) };
}

function buildItem(tokens: readonly Token[], { from, to, number }: Item): Change {
  const hull = findHull(tokens.slice(from, to));
  const text = `${number > 1 ? '\n' : ''}${number}.`;
  return {
    rule: 'item',
    from,
    to,
    out: writtenTokens(text, hull.from, hull.to, true),
    fates: [{ ...hull, fate: 'converted' }],
  };
}
