/**
 * `npm run bench:documents [-- --only TAG-OR-ID]… [--misses] [--speed] [--json] [--folder DIRECTORY]`: how good the rules are
 * on the sets of test/documents (README.md there), by language; with `--speed` how fast instead.
 */
import { languages } from '../../src/contract/shared.ts';
import { readDocuments } from '../documents/cases.ts';
import { timesOf } from '../documents/speed.ts';
import { score, scoreNames } from '../documents/scores.ts';
import { readOptions } from '../support/program-options.ts';
import type { Miss, ScoreName, Scores, Share } from '../documents/scores.ts';

const { values: wishes } = readOptions(import.meta.filename, {
  options: {
    only: { type: 'string', multiple: true },
    misses: { type: 'boolean' },
    speed: { type: 'boolean' },
    json: { type: 'boolean' },
    folder: { type: 'string' },
  },
});

const names = Object.keys(scoreNames) as ScoreName[];
const percent = ({ hits, of }: Share): string =>
  of === 0 ? '–' : `${((100 * hits) / of).toFixed(1)} % (${hits} of ${of})`;

function table(rows: readonly (readonly [string, Scores])[]): string {
  const cells = [
    ['', ...rows.map(([name]) => name)],
    ...names.map((name) => [scoreNames[name], ...rows.map(([, scores]) => percent(scores[name]))]),
  ];
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(at === 0 ? 38 : 24))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

const shown = ({ id, score: name, wanted, got }: Miss): string =>
  `\n${id}: ${scoreNames[name]}\n  - ${wanted.replaceAll('\n', '\n    ')}\n  + ${got.replaceAll('\n', '\n    ')}`;

const isChosen = ({ id, tags }: { id: string; tags: readonly string[] }): boolean =>
  wishes.only === undefined || [id, ...tags].some((name) => wishes.only?.includes(name));

async function printSpeed(): Promise<void> {
  for (const language of languages) {
    const times = timesOf(await readDocuments(language, wishes.folder));
    process.stdout.write(`${language}  ${times.join('  ')}\n`);
  }
}

async function printScores(): Promise<void> {
  const results = [];
  for (const language of languages) {
    const { scores, misses } = score(await readDocuments(language, wishes.folder), isChosen);
    results.push({ language, scores, misses });
  }
  if (wishes.json) {
    const report = results.map(({ misses, ...rest }) => ({ ...rest, ...(wishes.misses && { misses }) }));
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else {
    const misses = wishes.misses ? results.flatMap((result) => result.misses.map(shown)) : [];
    process.stdout.write(
      `${[table(results.map(({ language, scores }) => [language, scores])), ...misses].join('\n')}\n`,
    );
  }
}

await (wishes.speed ? printSpeed() : printScores());
