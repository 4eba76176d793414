/** Dictations of many exams, as recognisers give them, with what stands in the document: `[key]` before another section. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import { written } from './written.ts';

describe.each(languages)('dictations in %s', (language) => {
  const file = new URL(`dictations/${language}.json`, import.meta.url);
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as [heard: string, text: string][];
  it.each(pairs)('%s', (heard, text) => expect(written(heard, language)).toBe(text));
});
