/** dcmtk's programs: DICOM files made and read by somebody else's code. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Worklists that come with dcmtk, as dumps. */
export const sampleWorklists = '/usr/share/doc/dcmtk/examples/wlistdb/OFFIS';

export const sampleDumps = (): string[] =>
  readdirSync(sampleWorklists)
    .filter((name) => name.endsWith('.dump'))
    .toSorted()
    .map((name) => join(sampleWorklists, name));

/** How `dump2dcm` may write a data set. */
export const transferSyntaxes = {
  'implicit little endian': '+ti',
  'explicit little endian': '+te',
  'explicit big endian': '+tb',
  deflated: '+td',
} as const;

/** The DICOM file of a dump, written into `directory`. */
export function dump2dcm(
  dump: string,
  syntax: keyof typeof transferSyntaxes,
  directory: string,
  options: readonly string[] = [],
): Buffer {
  const file = join(directory, 'made.dcm');
  execFileSync('dump2dcm', ['-q', ...options, transferSyntaxes[syntax], dump, file]);
  return readFileSync(file);
}

/** The DICOM JSON of the file that was made last. */
export const dcm2json = (directory: string): Buffer => execFileSync('dcm2json', ['-q', join(directory, 'made.dcm')]);
