/**
 * Characters that do harm where nobody expects them. A control character drives the terminal that prints it. An
 * invisible character, or one that turns the direction of its neighbours, makes two different texts look alike. One
 * table lists these characters; each kind of text says which of them it refuses and which it mends.
 */
import type { TextKind } from '../contract/schema.ts';

/** Controls (C0, DEL, C1), line and paragraph separators, and halves of surrogate pairs. */
const controls = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]`;
/** Controls that a text with lines must not hold: all but tabs and line ends. */
const controlsOfProse = String.raw`[[\p{Cc}\p{Cs}]--[\t\n\r]]`;

/**
 * Zero width, marks and overrides of direction (UAX 9), fillers. Two kinds have a meaning in their place: the joiners
 * between letters of scripts that join, as Persian and Hindi need them, or of an emoji; and variation selectors after
 * characters that have forms to choose from.
 */
const alwaysUnseen = String.raw`[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\p{Variation_Selector}\u200c\u200d]]`;
const pictures = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}`;
const joining = String.raw`[[[\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Inherited}\p{Default_Ignorable_Code_Point}]]${pictures}]`;
const strayJoiner = String.raw`(?<!${joining}|\p{Extended_Pictographic}\ufe0f)[\u200c\u200d]|[\u200c\u200d](?!${joining})`;
const straySelector = String.raw`(?<![[\p{sc=Han}\p{sc=Mongolian}\p{Extended_Pictographic}]--\p{Default_Ignorable_Code_Point}])\p{Variation_Selector}`;
const unseen = `${alwaysUnseen}|${strayJoiner}|${straySelector}`;

/** A pattern that is compiled on first use: together they take as long as the rest of a short command. */
type Pattern = () => RegExp;

function pattern(source: string, flags: 'v' | 'gv'): Pattern {
  let compiled: RegExp | undefined;
  return () => (compiled ??= new RegExp(source, flags));
}

/** A purpose of texts, and the characters that it allows. */
interface Kind {
  readonly refused: Pattern;
  /** Finds quickly, even in a long text, whether there is anything to mend. */
  readonly mendable: Pattern | undefined;
  /** Characters to mend instead of refusing them, and their replacements. */
  readonly mended: readonly (readonly [Pattern, string])[];
  /** The rule in words, for messages. */
  readonly expected: string;
}

export const textKinds: Readonly<Record<TextKind, Kind>> = {
  /** A text to compare and look up: it must not hold invisible characters. */
  identifier: {
    refused: pattern(String.raw`${controls}|[\p{Cf}\p{Default_Ignorable_Code_Point}]`, 'v'),
    mendable: undefined,
    mended: [],
    expected: 'must not contain control characters, nor any that is not seen',
  },
  /** A name, a title: one line. */
  line: {
    refused: pattern(controls, 'v'),
    mendable: pattern(unseen, 'v'),
    mended: [
      // The order matters: removing a character makes neighbours of those around it.
      [pattern(alwaysUnseen, 'gv'), ''],
      [pattern(straySelector, 'gv'), ''],
      [pattern(strayJoiner, 'gv'), ''],
    ],
    expected: 'must not contain control characters',
  },
  /**
   * A text that somebody wrote or dictated: it keeps its lines, with one kind of line end, and loses other controls.
   */
  prose: {
    refused: pattern(controlsOfProse, 'v'),
    mendable: pattern(String.raw`${controlsOfProse}|[\p{Zl}\p{Zp}]`, 'v'),
    mended: [
      [() => /[\v\f\u0085\u2028\u2029]/g, '\n'],
      [() => /[\ud800-\udfff]/gu, '\ufffd'],
      [pattern(controlsOfProse, 'gv'), ''],
    ],
    expected: 'must not contain control characters',
  },
};

/** Whether the text holds no character that its kind refuses. */
export const isFit = (kind: TextKind, text: string): boolean => !textKinds[kind].refused().test(text);

/** Mends the characters that need not be refused. Mending a text twice changes nothing more. */
export function mendText(kind: TextKind, text: string): string {
  const { mendable, mended: steps } = textKinds[kind];
  if (!mendable || isOrdinaryText(text) || !mendable().test(text)) return text;
  let result = text;
  for (const [found, by] of steps) result = result.replace(found(), by);
  return result;
}

const ordinary = /^[ -~\u00a0-\u00ac\u00ae-\u02ff]*$/;

/** Matches most texts, in which no character needs a closer look, whatever the kind of text. */
export const isOrdinaryText = (text: string): boolean => ordinary.test(text);

/**
 * Whether free-form data, at any depth, holds names that are no line, or texts that are no prose. The service stores such
 * data unchanged, so nothing in it is mended.
 */
export function isFreeFit(value: unknown): boolean {
  if (typeof value === 'string') return isOrdinaryText(value) || isFit('prose', value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isFreeFit);
  return Object.keys(value).every((name) => isName(name) && isFreeFit((value as Record<string, unknown>)[name]));
}

const isName = (name: string): boolean =>
  isOrdinaryText(name) || (isFit('line', name) && mendText('line', name) === name);

const ofControls = pattern(`${controls}+`, 'gv');
const ofUnseen = pattern(unseen, 'gv');

/** Ends of lines of every kind, and tabs. */
const layout = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A name or a title that came with line ends, as one line. */
export const onOneLine = (text: string): string => mendText('line', text.replace(layout, ' '));

/** A text as one line for a person: controls and line ends as a space, invisible characters as `<U+202E>`. */
export const shownLine = (text: string): string =>
  isOrdinaryText(text) ? text : text.toWellFormed().replace(ofControls(), ' ').replace(ofUnseen(), codePointName);

/** A text with its lines, for a person. */
export const shownText = (text: string): string =>
  isOrdinaryText(text)
    ? text
    : text
        .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
        .map(shownLine)
        .join('\n');

/** Names a character that cannot be shown: `<U+202E>`. */
export const codePointName = (character: string): string => `<U+${hexOf(character.codePointAt(0)!).toUpperCase()}>`;

const hexOf = (code: number): string => code.toString(16).padStart(4, '0');

const ofEither = pattern(`${controls}|${unseen}`, 'gv');

/** JSON with these characters escaped: it means the same, and does nothing to the terminal that prints it. */
export const inertJson = (json: string): string =>
  isOrdinaryText(json)
    ? json
    : json.replace(ofEither(), (character) =>
        character === '\n'
          ? character
          : Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at))}`).join(''),
      );
