/** The options of the project's own programs, which say at their top how they are called. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

/** As `parseArgs`; a mistyped option ends the program like `refuseOptions`. */
export function readOptions<const C extends ParseArgsConfig>(
  program: string,
  config: C,
): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config);
  } catch (error) {
    return refuseOptions(program, error instanceof Error ? error.message : String(error));
  }
}

/** Ends with 2, after the sentence and what the heading of the program's file says. */
export function refuseOptions(program: string, sentence: string): never {
  const heading = /\/\*\*(.*?)\*\//s.exec(readFileSync(program, 'utf8'))?.[1] ?? '';
  const usage = heading.replaceAll(/^[ \t]*\* ?/gm, '').trim();
  process.stderr.write(`${sentence}\n\n${usage}\n`);
  process.exit(2);
}
