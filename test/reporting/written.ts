/** Writes a dictation for a test: the findings as they are, other sections with their key before them. */
import type { Language } from '../../src/contract/shared.ts';
import type { WriteInput } from '../../src/reporting/input.ts';
import { write } from '../../src/reporting/write.ts';

export const sections = ['indication', 'technique', 'comparison', 'findings', 'impression'].map((key) => ({
  key,
  title: key,
}));

export function written(heard: string, language: Language, rest: Partial<WriteInput> = {}): string {
  const report = write({ heard: { text: heard }, language, sections, ...rest });
  return report.sections
    .filter(({ text }) => text !== '')
    .map(({ key, text }) => (key === 'findings' ? text : `[${key}] ${text}`))
    .join(' ');
}
