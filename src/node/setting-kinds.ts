/** The kinds of settings: each parses text from a flag, a variable or a file into a value. */
import { isAbsolute, resolve } from 'node:path';
import { isUnencrypted, normaliseServer } from '../client/address.ts';
import { parseChoice } from '../domain/choice.ts';
import type { Choice } from '../domain/choice.ts';
import { durationForm, durationMs } from '../domain/duration.ts';
import { findEntry } from '../domain/find-entry.ts';

/** Parses a text or JSON value of a setting; `undefined` refuses it. */
export interface Kind<T> {
  /** The expected values, for messages: "a number from 1 to 3600". */
  readonly expected: string;
  /** `directory`: the base of relative paths, where the setting was written. */
  read(value: unknown, directory: string): T | undefined;
}

export const word = <const V extends string>(values: readonly V[]): Kind<V> => ({
  expected: `one of ${values.join(', ')}`,
  read: (value) => values.find((known) => known === value),
});

export const text = (pattern: RegExp, expected: string): Kind<string> => ({
  expected,
  read: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
});

export const wholeNumber = (minimum: number, maximum: number): Kind<number> => ({
  expected: `a whole number from ${minimum} to ${maximum}`,
  read(value) {
    const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= minimum && number <= maximum
      ? number
      : undefined;
  },
});

export const yesNo: Kind<boolean> = {
  expected: 'true or false',
  read: (value) => findEntry({ true: true, '1': true, false: false, '0': false }, String(value)),
};

/** In ms. */
export const lengthOfTime: Kind<number> = {
  expected: durationForm,
  read: (value) => (typeof value === 'string' ? durationMs(value) : undefined),
};

/** In ms. */
export const lifeOfToken: Kind<number> = {
  expected: 'a length of time from 1s to 24h, such as 30s or 15min',
  read(value) {
    const ms = lengthOfTime.read(value, '');
    return ms !== undefined && ms <= 24 * 3600 * 1000 ? ms : undefined;
  },
};

export const serverAddress: Kind<string> = {
  expected: 'an address such as https://api.example.com or http://127.0.0.1:4000',
  read(value) {
    if (typeof value !== 'string') return undefined;
    try {
      return normaliseServer(value);
    } catch {
      return undefined;
    }
  },
};

/** An origin has no path, because the server owns every path. */
export const publicAddress: Kind<string> = {
  expected: 'an address such as https://laudio.example.com',
  read(value) {
    const address = serverAddress.read(value, '');
    return address !== undefined && new URL(address).origin === address && !isUnencrypted(address)
      ? address
      : undefined;
  },
};

/** `10.0.0.2, 10.0.1.0/24`; in a file also as a list. The server checks each address. */
export const addressList: Kind<readonly string[]> = {
  expected: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
  read(value) {
    const parts: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
    const texts = parts.map((part) => (typeof part === 'string' ? part.trim() : ''));
    return texts.length > 0 && texts.every((text) => /^[0-9a-f.:]+(?:\/\d{1,3})?$/i.test(text)) ? texts : undefined;
  },
};

/** `Name; line; line`, a list of such texts, or of lists of lines. */
export const letterheadList: Kind<readonly (readonly string[])[]> = {
  expected: 'the name of an institution and up to 8 lines below it, separated by semicolons',
  read(value) {
    const sites: unknown[] = Array.isArray(value) ? value : [value];
    const letterheads = sites.map((site) => {
      const lines: unknown[] = typeof site === 'string' ? site.split(';') : Array.isArray(site) ? site : [];
      return lines.map((line) => (typeof line === 'string' ? line.trim() : '')).filter((line) => line !== '');
    });
    const isGood = (lines: readonly string[]): boolean =>
      lines.length > 0 && lines.length <= 9 && lines.every((line) => line.length <= 200);
    return letterheads.length > 0 && letterheads.every(isGood) ? letterheads : undefined;
  },
};

export const timeZone: Kind<string> = {
  expected: 'the name of a zone, such as America/Sao_Paulo',
  read(value) {
    if (typeof value !== 'string' || value === '') return undefined;
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      return undefined;
    }
  },
};

export const directoryPath: Kind<string> = {
  expected: 'a directory',
  read: (value, directory) =>
    typeof value !== 'string' || value === '' ? undefined : isAbsolute(value) ? value : resolve(directory, value),
};

export const choice: Kind<Choice> = {
  expected: 'a name, and behind it the options that it needs, such as NAME url=https://example.com',
  read: parseChoice,
};
