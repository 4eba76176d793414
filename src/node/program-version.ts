import { readFileSync } from 'node:fs';

/** Places of the version: a build's with its commit, then that of package.json above the sources, or above dist. */
const places = ['../../build.json', '../../package.json', '../../../package.json'];

/** The program's version, such as `0.1.0`, or `0.1.0+4a0aa80f1c2d` of a build between two releases. */
export function programVersion(): string {
  for (const place of places) {
    try {
      const { name = 'laudio', version } = JSON.parse(
        readFileSync(new URL(place, import.meta.url), 'utf8'),
      ) as Description;
      if (name === 'laudio' && version !== undefined) return version;
    } catch {
      // Tries the next place.
    }
  }
  return '0.0.0';
}

interface Description {
  readonly name?: string;
  readonly version?: string;
}
