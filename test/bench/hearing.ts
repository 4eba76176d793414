/**
 * `npm run bench:hearing -- --set DIR --url ADDRESS [--model NAME]`, or `--recogniser CHOICE`, also several: which facts of
 * spoken texts become others in the report, and about how many of them it asks. The set is a folder of voices that spoke the
 * texts of hearing-texts.ts: `ID.LANG.wav`, `ID.LANG.txt`, and `texts.json` with voice and noise. Rates are those of
 * synthetic voices: compare runs with each other. `--curve` shows them by the doubt from which on it asks.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkers } from '../../server/runtime/workers/workers.ts';
import { measure } from '../../server/speech/engine-tools.ts';
import { createLexicon } from '../../server/speech/lexicon/lexicon.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';
import { parseChoice } from '../../src/domain/choice.ts';
import type { Choice } from '../../src/domain/choice.ts';
import { withoutNoise } from '../../src/domain/recogniser-noise.ts';
import { readOptions, refuseOptions } from '../support/program-options.ts';
import { hearingScores, totalScores } from '../support/hearing-scores.ts';
import type { HearingScores } from '../support/hearing-scores.ts';
import type { SpokenText } from './hearing-texts.ts';

const { values: wishes } = readOptions(import.meta.filename, {
  options: {
    set: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string', default: 'whisper' },
    recogniser: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    /** Prints what the same answers give with other values of `doubt` than the engine's. */
    curve: { type: 'boolean' },
    /** Prints each dictation as it is heard. */
    verbose: { type: 'boolean' },
  },
});

interface Spoken extends Pick<SpokenText, 'id' | 'lang' | 'said'> {
  readonly sound: string;
  readonly voice: string;
  readonly noise: boolean;
}

async function readSet(folder: string): Promise<Spoken[]> {
  const list = join(folder, 'texts.json');
  const known = existsSync(list) ? (JSON.parse(await readFile(list, 'utf8')) as SpokenText[]) : [];
  const sounds = (await readdir(folder)).filter((name) => name.endsWith('.wav')).toSorted();
  return Promise.all(
    sounds.map(async (name): Promise<Spoken> => {
      const [id = '', lang = ''] = name.split('.');
      const { voice = 'unknown', noise = false } = known.find((each) => each.id === id) ?? {};
      const said = await readFile(join(folder, `${id}.${lang}.txt`), 'utf8');
      return { id, lang: lang as Language, said: said.trim(), sound: join(folder, name), voice, noise };
    }),
  );
}

type Scored = Spoken & { readonly heard: HeardText; readonly scores: HearingScores };

const hearAll = (choice: Choice, set: readonly Spoken[]): Promise<Scored[]> =>
  measure(choice, { dataDir: join(process.cwd(), '.laudio-bench') }, async ({ hear }) => {
    const scored: Scored[] = [];
    for (const spoken of set) {
      const { signal } = new AbortController();
      // As the server does before it writes the report.
      const words = withoutNoise((await hear(spoken.sound, spoken.lang, signal)).heard);
      const unknown = await lexicon.findUnknown(
        { text: words.text, language: spoken.lang },
        { account: spoken.id, signal },
      );
      const heard = { ...words, unknown };
      const scores = hearingScores(spoken.said, heard, spoken.lang);
      if (wishes.verbose) {
        process.stderr.write(`${spoken.id} ${JSON.stringify(scores)}\n  ${spoken.said}\n  ${heard.text}\n`);
      }
      scored.push({ ...spoken, heard, scores });
    }
    return scored;
  });

const percent = (part: number, of: number): string =>
  of === 0 ? '–' : `${((100 * part) / of).toFixed(0)} % (${part} of ${of})`;

function row(name: string, scored: readonly Scored[]): string[] {
  const all = totalScores(scored.map(({ scores }) => scores));
  return [
    name,
    percent(all.wordErrors, all.words),
    percent(all.changed, all.facts),
    percent(all.silent, all.changed),
    percent(all.unasked, all.wrong),
    percent(all.falseQuestions, all.rightSentences),
    `${all.lostSections} (${all.silentSections})`,
    `${all.lostSpeech} (${all.silentSpeech})`,
  ];
}

/** Above the engine's own value; with the last one only other findings ask. */
const doubts = [0.34, 0.5, 0.6, 0.67, 0.8, 1.01];

function askingFrom(doubt: number, { heard: { otherReadings = [], ...heard }, ...spoken }: Scored): Scored {
  const asked = { ...heard, otherReadings: otherReadings.filter((reading) => reading.doubt >= doubt) };
  return { ...spoken, heard: asked, scores: hearingScores(spoken.said, asked, spoken.lang) };
}

const titles = [
  '',
  'words wrong',
  'facts changed',
  'of them silent',
  'wrong documents that ask nothing',
  'questions at right sentences',
  'sections lost (silently)',
  'speech lost (silently)',
];

function printTable(name: string, scored: readonly Scored[]): void {
  const groups = [
    ...Map.groupBy(scored, ({ lang }) => lang),
    ...Map.groupBy(scored, ({ voice }) => voice),
    ...Map.groupBy(scored, ({ noise }) => (noise ? 'noisy' : 'quiet')),
  ];
  const curve = wishes.curve ? doubts : [];
  const rows = [
    titles,
    row('all', scored),
    ...groups.map(([group, own]) => row(group, own)),
    ...curve.map((doubt) =>
      row(
        `doubt ${doubt}`,
        scored.map((each) => askingFrom(doubt, each)),
      ),
    ),
  ];
  const widths = titles.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  const lines = rows.map((cells) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  process.stdout.write(`${name}, ${scored.length} dictations\n${lines.join('\n')}\n\n`);
}

const { set: folder, url, model, recogniser: named = [] } = wishes;
const engines: readonly Choice[] = [
  ...(url === undefined ? [] : [{ use: `openai:${model}`, options: { url } }]),
  ...named.flatMap((choice) => parseChoice(choice) ?? []),
];
if (folder === undefined || engines.length === 0)
  refuseOptions(import.meta.filename, 'Give --set DIR, and --url ADDRESS or --recogniser CHOICE.');
const set = await readSet(folder);
const lexicon = createLexicon(createWorkers(), ({ event }) => process.stderr.write(`${event}\n`));
for (const engine of engines) {
  const scored = await hearAll(engine, set);
  if (wishes.json) process.stdout.write(`${JSON.stringify({ engine: engine.use, dictations: scored })}\n`);
  else printTable(engine.use, scored);
}
await lexicon.close();
