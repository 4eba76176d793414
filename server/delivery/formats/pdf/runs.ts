/** The parts in which a line is written. */
import { codePointName } from '../../../../src/domain/characters.ts';

export interface Run {
  /** The printed text. */
  readonly shown: string;
  /** The text for screen readers, search and copying; `undefined`: `shown` is the text. */
  readonly actual: string | undefined;
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

/** Runs of characters that the face has, and of others. */
export function* splitRuns(line: string, has: (character: string) => boolean): Generator<Run> {
  let run = '';
  let isShown = true;
  const end = (): Run => (isShown ? { shown: run, actual: undefined } : { shown: nameCharacter(run), actual: run });
  for (const character of splitCharacters(line)) {
    if (has(character) !== isShown) {
      if (run !== '') yield end();
      run = '';
      isShown = !isShown;
    }
    run += character;
  }
  if (run !== '') yield end();
}
