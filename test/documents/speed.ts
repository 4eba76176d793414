/** How long the rules take on what is said in a set, repeated to a length. The best of several runs, since others use the processor too. */
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { write } from '../../src/reporting/write.ts';
import type { DocumentSet } from './cases.ts';

const sections = ['indication', 'technique', 'comparison', 'findings', 'impression'].map((key) => ({
  key,
  title: key,
}));

function best(runs: number, work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** `what: milliseconds`, and the time of what is long as a multiple of what is shorter: 4 and 10 where it grows linearly. */
export function timesOf({ language, dictations }: DocumentSet): string[] {
  const words = dictations.flatMap(({ heard }) => heard.split(/\s+/));
  const said = (count: number): string => Array.from({ length: count }, (_, at) => words[at % words.length]).join(' ');
  const writing = (count: number, runs: number): number => {
    const heard = { text: said(count) };
    return best(runs, () => write({ heard, language, sections }));
  };
  const heard = { text: said(1000) };
  const written = write({ heard, language, sections });
  const check = prepareChecks({ language, template: sections, heard });
  // As somebody types: each time the longest section is another.
  const longest = Math.max(...written.sections.map(({ text }) => text.length));
  let typed = '';
  const checking = best(40, () => {
    typed += 'x';
    const typing = written.sections.map((section) =>
      section.text.length === longest ? { ...section, text: `${section.text} ${typed}` } : section,
    );
    check(typing, written.provenance);
  });
  const denying = (count: number, runs: number): number => {
    const text = `${'no não '.repeat(count)}.`;
    return best(runs, () =>
      prepareChecks({ language, template: sections })([{ key: 'findings', title: 'findings', text }]),
    );
  };
  const comparing = (count: number, runs: number): number => {
    const text = 'right 5 mm cyst left 6 mm cyst '.repeat(count);
    const both = ['findings', 'impression'].map((key) => ({ key, title: key, text }));
    return best(runs, () => prepareChecks({ language: 'en-US', template: sections })(both));
  };
  const comparisons = comparing(3000, 3) / comparing(750, 6);
  const denials = denying(16_000, 3) / denying(4000, 6);
  const short = writing(2000, 40);
  const growth = writing(200_000, 3) / writing(20_000, 6);
  return [
    `write 2,000 words: ${short.toFixed(1)} ms`,
    `check 1,000 words: ${checking.toFixed(1)} ms`,
    `check 32,000 denials by 8,000: ${denials.toFixed(1)}`,
    `compare 6,000 sides and measures by 1,500: ${comparisons.toFixed(1)}`,
    `200,000 words by 20,000: ${growth.toFixed(1)}`,
  ];
}
