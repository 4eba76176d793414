/** The help of the program, from the tables of commands and options. Does not load the parser, which is slow. */
import { kebab } from '../command.ts';
import type { Option } from '../command.ts';
import { globalOptions } from './global-options.ts';
import { wrappedHelp, wrappedText } from './help-layout.ts';
import { program } from '../program.ts';

const summary = 'Medical transcription and worklist service: exams in, dictation, structured documents out.';
const start = 'Start with "laudio demo", or with "laudio serve" and then "laudio login" in another terminal.';

/** The flags of the program itself, with their help texts. */
export const ownFlags = {
  version: ['-v, --version', 'Print the version'],
  help: ['-h, --help', 'Print this help'],
} as const;

const helpWords: ReadonlySet<string | undefined> = new Set([undefined, '-h', '--help', 'help']);

/** Whether the words only ask for the help of the program; so does an empty command line. */
export const asksForRootHelp = (words: readonly string[]): boolean => words.length < 2 && helpWords.has(words[0]);

/** An option in the help's format: `-o, --output <FILE>`. */
export function formatFlags(name: string, { short, kind, placeholder = 'VALUE' }: Option): string {
  const long = `${short ? `-${short}, ` : ''}--${kebab(name)}`;
  return kind === 'flag' ? long : `${long} <${placeholder}>`;
}

/** The help of the program in lines of at most `width` columns. */
export function rootHelp(width: number): string {
  const groups: readonly (readonly [string, readonly (readonly [term: string, meaning: string])[]])[] = [
    ['Options:', Object.values(ownFlags)],
    [
      'Options of every command:',
      Object.entries(globalOptions).map(([name, option]) => [formatFlags(name, option), option.summary]),
    ],
    ['Commands:', Object.entries(program).map(([name, listed]) => [name, listed.summary])],
  ];
  const termWidth = Math.max(...groups.flatMap(([, items]) => items.map(([term]) => term.length)));
  const layout = { helpWidth: width, ...wrappedHelp };
  return [
    `Usage: ${layout.styleUsage('laudio [options] [command]')}`,
    wrappedText(summary, width),
    ...groups.map(([title, items]) =>
      [title, ...items.map(([term, meaning]) => layout.formatItem(term, termWidth, meaning))].join('\n'),
    ),
    `${wrappedText(start, width)}\n`,
  ].join('\n\n');
}
