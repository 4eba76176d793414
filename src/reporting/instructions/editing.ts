/** Edits of a text that keep its sentences whole: spaces, capitals and marks stay correct. */
import { withCapital } from '../render.ts';
import type { Span } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

const isCapital = (letter: string): boolean => letter !== letter.toLowerCase();
/** A word in capitals, or with some inside, has its own case. */
const hasOwnCase = (word: string): boolean => /^\p{L}*\p{Lu}/u.test(word.slice(1)) || /\d/.test(word);

/** `by` in the case of the text that it replaces; spoken capitals stay. */
export function matchCase(replaced: string, by: string, atStart: boolean): string {
  const first = /^[\p{L}\p{N}-]+/u.exec(by)?.[0] ?? '';
  if (isCapital(replaced.charAt(0)) && atStart) return withCapital(by);
  const isPlain = !atStart && isCapital(by.charAt(0)) && !hasOwnCase(first) && !isCapital(replaced.charAt(0));
  return isPlain ? by.charAt(0).toLowerCase() + by.slice(1) : by;
}

/** The text with the piece replaced. */
export const replaceAt = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** Words that begin with the sound of a vowel: by their letter, or as numbers are spoken ("an 8 mm nodule"). */
const soundsOpen = (word: string): boolean => /^(?:[aeio]|8|11(?!\d)|18(?!\d)|un(?!i)|ul|up)/i.test(word);

/** English: "a" or "an" before the place agrees with the word there now. */
export function withArticle(text: string, at: number): string {
  const article = /(^|[\s("“])(an?)\s+$/i.exec(text.slice(Math.max(0, at - 8), at));
  const word = /^[\p{L}\p{N}]+/u.exec(text.slice(at))?.[0];
  if (!article || word === undefined) return text;
  const given = elementAt(article, 2);
  const right = soundsOpen(word) ? 'an' : 'a';
  if (given.toLowerCase() === right) return text;
  const start = at - article[0].length + elementAt(article, 1).length;
  return text.slice(0, start) + (given.startsWith('A') ? withCapital(right) : right) + text.slice(start + given.length);
}

/** The text without the piece, and without left-over spaces and punctuation. */
export function cutAt(text: string, { start, end }: Span): string {
  const left = text.slice(0, start).replace(/(?<![^\S\n])[^\S\n]+$/, '');
  const right = text.slice(end).replace(/^[^\S\n]+/, '');
  const isStart = left === '' || /[.?!…\n]["”’»)]*$/.test(left);
  if (isStart) {
    const rest = right.replace(/^[\s.,;:]+/, '');
    const gap = left === '' || left.endsWith('\n') || rest === '' ? '' : right.startsWith('\n') ? '\n' : ' ';
    return (left + gap + withCapital(rest)).trimEnd();
  }
  if (right === '' || /^[.,;:?!)\n]/.test(right)) {
    // ", sem massas." goes with its comma.
    const closes = right === '' || /^[.?!\n;)]/.test(right);
    return (closes || /^[,;:]/.test(right) ? left.replace(/(?<![,;:])[,;:]+$/, '') : left) + right;
  }
  if (/[(“«]$/.test(left)) return left + right;
  return `${left} ${right}`;
}

/** Words as a sentence: with a capital first, and a full stop. */
export const asSentence = (words: string): string =>
  /[.?!…:]["”’»)]*$/.test(words) ? withCapital(words) : `${withCapital(words)}.`;

/** Adds whole sentences at the end, or at the beginning. */
export const appendSentences = (text: string, sentences: string): string =>
  text.trim() === '' ? sentences : `${closedText(text.trimEnd())}${text.includes('\n') ? '\n' : ' '}${sentences}`;
export const prepended = (text: string, sentences: string): string =>
  text.trim() === '' ? sentences : `${sentences}${text.includes('\n') ? '\n' : ' '}${text}`;

const closedText = (text: string): string =>
  /[\p{L}\p{M}\p{N}%)"”»°]$/u.test(text) ? `${text}.` : text.replace(/(?<![,;:])[,;:]+$/, '.');

/** Words put before or after a place inside a sentence. */
export function insertAt(text: string, at: number, words: string): string {
  const left = text.slice(0, at);
  const right = text.slice(at);
  const before = left === '' || /[\s(“«[]$/.test(left) ? '' : ' ';
  const after = right === '' || /^[\s.,;:?!)”»\]]/.test(right) ? '' : ' ';
  const isStart = left.trim() === '' || /[.?!…]["”’»)]*\s*$/.test(left) || left.endsWith('\n');
  if (!isStart) return left + before + words + after + right;
  const [word = ''] = /^[\p{L}\p{N}-]+/u.exec(right.trimStart()) ?? [];
  const rest = hasOwnCase(word) ? right : right.charAt(0).toLowerCase() + right.slice(1);
  return left + before + withCapital(words) + after + rest;
}

/** A sentence put before or after another, with the joint between them. */
export function insertSentence(text: string, at: number, sentence: string, joint: ' ' | '\n'): string {
  const [left, right] = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
  return [left, sentence, right].filter((each) => each !== '').join(joint);
}
