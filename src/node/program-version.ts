import { readFileSync } from 'node:fs';

/** The program's version, from its package.json: above the sources, or above dist. */
export function programVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as Description;
      if (name === 'laudio') return version;
    } catch {
      // Tries the other place.
    }
  }
  return '0.0.0';
}

interface Description {
  readonly name?: string;
  readonly version: string;
}
