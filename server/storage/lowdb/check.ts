/** Checks every byte of the documents in a data directory and changes nothing, also while a server runs. */
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import type { CheckedFile, DocumentsReport, Problem } from '../condition.ts';
import { migrate, migrations as known, schemaAfter } from '../migrations.ts';
import type { Migration } from '../migrations.ts';
import type { StoredDocument } from '../store.ts';
import { noteAudio } from '../blobs/named-audio.ts';
import type { NamedAudio } from '../blobs/named-audio.ts';
import { createTables } from '../transactions/tables.ts';
import type { Tables } from '../transactions/tables.ts';
import { listDataFiles, openDataFile, unfinished } from './data-files.ts';
import type { DataFile, OpenDataFile, Surroundings } from './data-files.ts';
import { previousHeaderLength } from './frame.ts';
import { besideOf } from './header-copies.ts';
import { acknowledgedName, lookAtAcknowledged } from './acknowledged.ts';
import { hasFormerFile, readFormerFile, refuseLaterFile } from './former-file.ts';
import { hasCode, nodeFileSystem, unusable } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { lacking, recover } from './recovery.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';

export interface CheckOptions {
  readonly fs?: FileSystem;
  readonly sealing?: Sealing | undefined;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
}

/** A fault in a file, before the check knows whether the fault is harmless. */
type Finding = Pick<Problem, 'file' | 'offset' | 'what'> & { readonly hint?: string | undefined };

/** Rejects with AppError CONFIGURATION if the directory cannot be read. */
export const checkDocuments = (directory: string, options: CheckOptions = {}): Promise<DocumentsReport> =>
  patiently(directory, options, look);

/** The audio that documents name now. Rejects as `checkDocuments`. */
export const audioNamedIn = (directory: string, options: CheckOptions = {}): Promise<NamedAudio> =>
  patiently(directory, options, async (around, migrations) => audioIn((await find(around, migrations)).tables));

/** A running server may just now remove files that a new snapshot has made superfluous. */
async function patiently<T>(
  directory: string,
  { fs = nodeFileSystem, sealing, migrations = known }: CheckOptions,
  work: (around: Surroundings, migrations: readonly Migration[]) => Promise<T>,
): Promise<T> {
  const around = { directory, fs, sealing, schema: schemaAfter(migrations) };
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(around, migrations);
    } catch (error) {
      if (attempt === 3 || !hasCode(error, 'ENOENT')) throw unusable(error);
    }
  }
}

async function look(around: Surroundings, migrations: readonly Migration[]): Promise<DocumentsReport> {
  const list = await listDataFiles(around.fs, around.directory);
  const files: CheckedFile[] = [];
  const findings: Finding[] = [];
  const noted = await lookAtAcknowledged(around.fs, around.directory);
  const acknowledged = typeof noted === 'number' ? noted : null;
  if (noted === 'damaged') {
    const what =
      'it does not hold the number of the last acknowledged commit, so a lost end of the journal is not noticed';
    findings.push({ file: acknowledgedName, offset: null, what });
  }
  for (const file of [...list.snapshots, ...list.journals]) {
    const examined = await examine(around, file);
    files.push(examined.file);
    findings.push(...examined.findings);
  }
  let found: FoundFiles | undefined;
  try {
    found = await find(around, migrations);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fault = toFinding(error);
    if (!findings.some(({ file, offset }) => file === fault.file && offset === fault.offset)) findings.push(fault);
  }
  const problems = findings.map((finding) => toProblem(finding, found !== undefined));
  if (!found) return { files, acknowledged, audio: null, found: null, problems };
  const { sequence, tables } = found;
  return { files, acknowledged, audio: audioIn(tables), found: { sequence, documents: countsOf(tables) }, problems };
}

function audioIn({ records, jobs, audit_segments }: Tables): NamedAudio {
  const named: NamedAudio = new Map();
  for (const table of [records, jobs, audit_segments]) {
    for (const document of table.view().documents()) {
      noteAudio(named, { collection: table.collection, document } as StoredDocument);
    }
  }
  return named;
}

function toProblem({ hint, ...finding }: Finding, starts: boolean): Problem {
  const advice = starts
    ? 'Nothing that was acknowledged is missing. The server starts without this part.'
    : (hint ??
      'Stop the server and make a copy of the directory; then `laudio server repair` keeps all readable documents.');
  return { ...finding, harmless: starts, advice };
}

interface FoundFiles {
  /** The sequence of the last commit. */
  readonly sequence: number;
  readonly tables: Tables;
}

/** The documents with which the server would start. */
async function find(around: Surroundings, migrations: readonly Migration[]): Promise<FoundFiles> {
  const files = await listDataFiles(around.fs, around.directory);
  const recovered = await recover(around, files);
  const previous = await hasFormerFile(around.fs, around.directory);
  if (recovered) {
    const { documents, schema, sequence } = recovered;
    if (previous) refuseLaterFile(recovered, files);
    return { sequence, tables: migrate(documents, schema, migrations) };
  }
  const tables = previous ? await readFormerFile(around.fs, around.directory) : null;
  return { sequence: 0, tables: tables ?? createTables() };
}

export const countsOf = (tables: Tables): Record<string, number> =>
  Object.fromEntries(Object.entries(tables).map(([name, { size }]) => [name, size]));

/** Turns the error of opening the store into a finding. */
function toFinding(error: AppError): Finding {
  const { file, offset, damage } = (error.details ?? {}) as { file?: string; offset?: number; damage?: string };
  return {
    file: file ?? null,
    offset: offset ?? null,
    what: damage ?? error.message,
    ...(damage === undefined && { hint: error.hint }),
  };
}

/** Examines a single file, from its first byte to its last. */
async function examine(around: Surroundings, file: DataFile): Promise<{ file: CheckedFile; findings: Finding[] }> {
  const checked = { file: file.name, kind: file.kind, bytes: 0, schema: null, encrypted: null, commits: null } as const;
  let opened: OpenDataFile | typeof unfinished;
  try {
    opened = await openDataFile({ ...around, salvages: true }, file);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { file: { ...checked, documents: null }, findings: [{ ...toFinding(error), file: file.name }] };
  }
  if (opened === unfinished) {
    const finding = { file: file.name, offset: 0, what: 'it was just being made; no commit is in it' };
    return { file: { ...checked, documents: null }, findings: [finding] };
  }
  try {
    const { header, size, lostCopies } = opened;
    // A running server removes a file before the copy of its header.
    if (lostCopies.length > 0) await around.fs.stat(join(around.directory, file.name));
    const { findings, ...content } = await readThrough(opened);
    if (opened.isHeadless) {
      // Not what is there in the place of the header.
      const [first] = findings;
      if (first?.offset === previousHeaderLength) findings.shift();
      findings.unshift({ file: file.name, offset: 0, what: 'it has no header, but it can be read without one' });
    }
    for (const place of lostCopies.toReversed()) {
      findings.unshift(
        place === 'beside'
          ? {
              file: file.name,
              offset: null,
              what: `the copy of its header in ${besideOf(file.name)} is missing or damaged`,
            }
          : { file: file.name, offset: place, what: 'a copy of its header is damaged' },
      );
    }
    return {
      file: { ...checked, bytes: size, schema: header.schema, encrypted: header.sealed, ...content },
      findings,
    };
  } finally {
    await opened.close();
  }
}

async function readThrough(opened: OpenDataFile) {
  const { name: file, kind, sequence } = opened.file;
  const findings: Finding[] = [];
  let documents = 0;
  let total: number | undefined;
  const first = kind === 'journal' ? sequence + 1 : 1;
  let next = first;
  let unreadable = '';
  for await (const frame of opened.frames()) {
    if (!frame.payload) {
      unreadable = `${counted(frame.end - frame.offset, 'byte')} cannot be read`;
      findings.push({ file, offset: frame.offset, what: unreadable });
      continue;
    }
    if (frame.sequence !== next) {
      const missing = kind === 'journal' ? lacking(next, frame.sequence - 1) : 'frames are missing';
      const before = unreadable === '' ? undefined : findings.pop();
      findings.push(
        before ? { ...before, what: `${unreadable}: ${missing}` } : { file, offset: frame.offset, what: missing },
      );
    }
    unreadable = '';
    next = frame.sequence + 1;
    try {
      const content = opened.content(frame);
      documents += content.changes;
      ({ total } = content);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      findings.push(toFinding(error));
    }
  }
  if (kind === 'journal') {
    return { findings, documents: null, commits: next === first ? null : { from: first, to: next - 1 } };
  }
  if (total !== documents && findings.length === 0) {
    findings.push({ file, offset: opened.size, what: 'its end is missing' });
  }
  return { findings, documents, commits: sequence === 0 ? null : { from: 1, to: sequence } };
}
