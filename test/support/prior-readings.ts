/** The sample priors, and everything that is read from one. */
import { readFileSync } from 'node:fs';
import { readPriors } from '../../src/files/priors/prior-file.ts';
import type { PriorFile } from '../../src/files/priors/prior-file.ts';
import type { ItemReading, Problem, ReadOptions } from '../../src/files/worklist/reading.ts';
import { inChunks } from './worklist-readings.ts';

export const priorSample = (name: string): Buffer =>
  readFileSync(new URL(`../../samples/priors/${name}`, import.meta.url));

export interface ReadPriorFile {
  readonly format: PriorFile['format'];
  readonly items: readonly ItemReading[];
  readonly problems: readonly Problem[];
}

export async function readPriorFile(
  content: Uint8Array | string,
  options: Omit<ReadOptions, 'format'> = {},
  chunkSize?: number,
): Promise<ReadPriorFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const file = await readPriors(inChunks(bytes, chunkSize), { timeZone: 'America/Sao_Paulo', ...options });
  const items: ItemReading[] = [];
  const problems: Problem[] = [];
  for await (const reading of file.readings)
    if (reading.kind === 'item') items.push(reading);
    else if (reading.kind === 'problem') problems.push(reading);
  return { format: file.format, items, problems };
}
