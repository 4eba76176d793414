/** The parts in which a line is written. */
import { codePointName } from '../../../../src/domain/characters.ts';

/** Scripts whose letters join or bear marks, with their names in OpenType. */
export const shapedScripts = { arab: 'Arabic', hebr: 'Hebrew', 'nko ': 'Nko' } as const;
export type ShapedScript = keyof typeof shapedScripts;

/**
 * How a character is shown: `plain` by its own glyph, `named` by its code points, since the face lacks it, `unseen` not at all,
 * a letter of a shaped script together with its neighbours. A `joiner` belongs to such letters, and is unseen elsewhere.
 */
export type Kind = 'plain' | 'named' | 'unseen' | 'joiner' | ShapedScript;

export const isShaped = (kind: Kind): kind is ShapedScript => kind in shapedScripts;

/** Keep letters apart, or join them (Unicode 23.2). */
export const joiners = '\u200c\u200d';

export interface Run {
  readonly kind: Kind;
  readonly text: string;
}

/** An emoji of several code points, which is one character to whoever reads or copies it. */
export const joinedEmoji =
  /\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})+[\u{e0020}-\u{e007f}]*|[\u{e0020}-\u{e007f}]+)/gu;
const mayBeJoined = /[\ufe0f\p{Regional_Indicator}\p{Emoji_Modifier}\u200d\u{e0020}-\u{e007f}]|\u20e3/u;
const characters = new RegExp(`${joinedEmoji.source}|.`, 'gsu');

/** The characters of a text, joined emoji whole. */
export const splitCharacters = (text: string): Iterable<string> =>
  mayBeJoined.test(text) ? (text.match(characters) ?? []) : text;

/** The code points of a character that the face lacks. */
export const nameCharacter = (character: string): string => Array.from(character, codePointName).join('');

/** Runs of characters of one kind, in reading order. */
export function* splitRuns(line: string, kindOf: (character: string) => Kind): Generator<Run> {
  let text = '';
  let kind: Kind = 'plain';
  for (const character of splitCharacters(line)) {
    const own = kindOf(character);
    const next: Kind = own !== 'joiner' ? own : isShaped(kind) ? kind : 'unseen';
    if (next !== kind) {
      if (text !== '') yield { kind, text };
      text = '';
      kind = next;
    }
    text += character;
  }
  if (text !== '') yield { kind, text };
}
