/** Everything about a patient as an archive of files: for people to read, and whole for programs. */
import { audioTypes } from '../../../src/contract/document.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { packTar } from '../../../src/node/files/pack-tar.ts';
import type { AddFile } from '../../../src/node/files/pack-tar.ts';
import { oneChunk } from '../../../src/node/files/pieces.ts';
import { fileExtension, renderRecord } from '../../delivery/formats/export-record.ts';
import type { DeliveryDeps } from '../../delivery/deps.ts';
import { findRecord } from '../../records/stored-record.ts';
import { noteAudio, readNamed } from '../../storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../storage/blobs/named-audio.ts';
import type { CollectionName } from '../../storage/collections.ts';
import type { StoredDocument } from '../../storage/store.ts';
import { writeLines } from '../maintenance/document-lines.ts';
import type { Care } from '../maintenance/care.ts';
import { collectDocuments, createMatcher, recognise } from './matcher.ts';
import type { Subject } from './person.ts';

export type PatientExportDeps = Pick<Care, 'store' | 'blobs' | 'clock' | 'schema' | 'version'> &
  Pick<DeliveryDeps, 'workers' | 'templates' | 'letterheads'>;

/** Secrets, and copies of answers that name others too. */
const leftOut: ReadonlySet<CollectionName> = new Set<CollectionName>(['idempotency', 'deliveries', 'erasures']);

const readme = (
  made: string,
  counts: string,
): string => `Everything that Laudio has stored about one patient, as of ${made}.

reports/           the reports as PDF to read and print, and as FHIR DiagnosticReport for other systems
priors/            reports of former exams that other systems sent
audio/             recordings
documents.ndjson   all of it for programs, one stored document a line: exams, history, reports with every version,
                   jobs and messages; what was restricted or is in the trash is only here

${counts}
`;

export async function* exportPatient(
  deps: PatientExportDeps,
  subject: Subject,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { store, blobs, clock, schema, version } = deps;
  const matcher = createMatcher(recognise(subject), [subject.id]);
  const release = await blobs.hold();
  try {
    const found = (await collectDocuments(store, matcher, signal)).filter(({ collection }) => !leftOut.has(collection));
    yield* packTar(async (add) => {
      const addText = (name: string, text: string | Uint8Array): Promise<void> => {
        const content = Buffer.from(text);
        return add(name, content.length, oneChunk(content));
      };
      await addText('README.txt', readme(isoNow(clock), countLines(found)));
      const header = { laudio: 'export', schema, version, created_at: isoNow(clock) } as const;
      const lines: Uint8Array[] = [];
      for await (const chunk of writeLines(header, streamDocuments(found))) lines.push(chunk);
      await addText('documents.ndjson', Buffer.concat(lines));
      for (const stored of found) await addReadable(deps, stored, addText, signal);
      await addRecordings(deps, found, add);
    });
  } finally {
    await release();
  }
}

async function* streamDocuments(documents: readonly StoredDocument[]): AsyncGenerator<StoredDocument, void> {
  yield* documents;
}

function countLines(documents: readonly StoredDocument[]): string {
  const counts = new Map<string, number>();
  for (const { collection } of documents) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  return Array.from(counts, ([collection, count]) => `${collection}: ${count}`).join('\n');
}

async function addReadable(
  deps: PatientExportDeps,
  { collection, document }: StoredDocument,
  addText: (name: string, text: string | Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (collection === 'priors') {
    const sections = document.sections.map(({ title, text }) => [title, text].filter(Boolean).join('\n'));
    const head = [document.exam_description, document.exam_datetime, document.author].filter(Boolean).join(', ');
    return addText(`priors/${document.id}.txt`, [head, ...sections, ''].join('\n\n'));
  }
  const record = collection === 'records' ? await findRecord(deps.store, document.id) : undefined;
  if (!record) return;
  for (const format of ['pdf', 'fhir', 'txt'] as const) {
    const content = await renderRecord(deps, record, format, signal);
    if (content)
      await addText(`reports/${record.id}.${format === 'fhir' ? 'fhir.json' : fileExtension(format)}`, content);
  }
}

/** Damaged recordings are left out: the documents name them. */
async function addRecordings({ blobs }: PatientExportDeps, documents: readonly StoredDocument[], add: AddFile) {
  const named: NamedAudio = new Map();
  const endings = new Map<string, string>();
  for (const stored of documents) {
    noteAudio(named, stored);
    const { collection, document } = stored;
    if (collection === 'records' && document.audio_blob !== null && document.source.content_type !== undefined)
      endings.set(document.audio_blob, `.${audioTypes[document.source.content_type]}`);
    if (collection === 'jobs' && document.audio)
      endings.set(document.audio.blob, `.${audioTypes[document.audio.content_type]}`);
  }
  for (const [blob, each] of named) {
    const audio = await readNamed(blobs, blob, each);
    if (typeof audio !== 'string') await add(`audio/${blob}${endings.get(blob) ?? ''}`, audio.size, audio.stream);
  }
}
