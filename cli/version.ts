/** The program's version, and the words that ask for it alone: they are answered before anything else is loaded. */
import { readFileSync } from 'node:fs';

const flags: ReadonlySet<string> = new Set(['--version', '-v', '-V', 'version']);

export const asksForVersion = (words: readonly string[]): boolean => words.length === 1 && flags.has(words[0]!);

/** From the package.json, which is beside the sources, or one level above dist. */
export function programVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as Description;
      if (name === 'laudio') return version;
    } catch {
      // The other place, then.
    }
  }
  return '0.0.0';
}

interface Description {
  readonly name?: string;
  readonly version: string;
}
