/** Numbered lists, an item a line: "1. Pneumonia." */

const numbered = /^\s*(\d{1,2})[.)]\s+(?=\S)/;
/** A number that lost its words. */
const emptied = /^\s*\d{1,2}[.)]\s*$/;

const splitLines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Whether every line of the text is an item, from 1 on. */
export function isNumberedList(text: string): boolean {
  const lines = splitLines(text);
  return lines.length > 0 && lines.every((line, at) => numbered.exec(line)?.[1] === String(at + 1));
}

/** The items of a list, without their numbers; emptied ones are none. */
export const itemsIn = (text: string): string[] =>
  splitLines(text)
    .filter((line) => !emptied.test(line))
    .map((line) => line.replace(numbered, '').trim());

export const listOf = (items: readonly string[]): string => items.map((item, at) => `${at + 1}. ${item}`).join('\n');

/** The list after a change: no empty items, and a number for each line, in order. */
export const renumber = (text: string): string => listOf(itemsIn(text));
