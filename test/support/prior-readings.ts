/** The sample priors, and everything that is read from one. */
import { readFileSync } from 'node:fs';
import { readPriors } from '../../src/files/priors/prior-file.ts';
import type { PriorFile } from '../../src/files/priors/prior-file.ts';
import type { ReadOptions } from '../../src/files/worklist/reading.ts';
import { inTexts } from './reading-texts.ts';
import type { TextItem, TextProblem } from './reading-texts.ts';
import { inChunks } from './worklist-readings.ts';

export const priorSample = (name: string): Buffer =>
  readFileSync(new URL(`../../samples/priors/${name}`, import.meta.url));

export interface ReadPriorFile {
  readonly format: PriorFile['format'];
  readonly items: readonly TextItem[];
  readonly problems: readonly TextProblem[];
}

export async function readPriorFile(
  content: Uint8Array | string,
  options: Omit<ReadOptions, 'format'> = {},
  chunkSize?: number,
): Promise<ReadPriorFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const file = await readPriors(inChunks(bytes, chunkSize), { timeZone: 'America/Sao_Paulo', ...options });
  const items: TextItem[] = [];
  const problems: TextProblem[] = [];
  for await (const each of file.readings) {
    const reading = inTexts(each);
    if (reading.kind === 'item') items.push(reading);
    else if (reading.kind === 'problem') problems.push(reading);
  }
  return { format: file.format, items, problems };
}
