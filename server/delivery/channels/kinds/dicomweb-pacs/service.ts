/** Asks a PACS by DICOMweb: studies, series and objects by QIDO-RS, and objects by WADO-RS. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { DataSet } from '../../../../../src/files/worklist/dicom/attributes.ts';
import { ByteCollector } from '../../../../../src/node/byte-collector.ts';
import { reportClasses } from '../../../../../src/protocols/dimse/classes.ts';
import type { ChannelConfig, InboundDeps, OpenChannel } from '../../channel.ts';
import { openPacs } from '../pacs/open-pacs.ts';
import { isUid, maxObjects, maxSeries, mayHoldReports, readValue, studyTags } from '../pacs/pacs.ts';
import type { ObjectName, Pacs, PacsConversation, StudyQuery } from '../pacs/pacs.ts';
import { createWebClient, refuse } from '../web/client.ts';
import type { WebClient } from '../web/client.ts';
import type { DicomWebPacsSettings } from './settings.ts';

/** Matches per page; a PACS may give fewer. */
const pageSize = 100;
/** Maximum size of a page of answers, and of a report, in bytes. */
const maxAnswer = 16 * 1024 * 1024;

export async function openService(
  channel: ChannelConfig<DicomWebPacsSettings>,
  deps: InboundDeps,
): Promise<OpenChannel> {
  const now = (): number => machineClockOf(deps.clock).now();
  const client = await createWebClient(channel.settings, now);
  const pacs: Pacs = {
    address: channel.settings.base_url,
    converse: (signal) => createConversation(client, now, signal),
    async test(signal) {
      await readPage(client, client.urlOf('studies?limit=1'), now, signal);
      return `${client.urlOf('').origin} answers.`;
    },
    close: () => client.close(),
  };
  return openPacs(channel, pacs, deps);
}

function createConversation(client: WebClient, now: () => number, signal: AbortSignal): PacsConversation {
  const loading = import('../../../../../src/files/worklist/dicom/dicom-json.ts');
  /** All pages of a search. A PACS that ignores the offset repeats its first page. */
  async function* search(path: string, fields: Readonly<Record<string, string>>): AsyncGenerator<DataSet> {
    let first = '';
    for (let offset = 0; ;) {
      const url = client.urlOf(path);
      url.search = new URLSearchParams({ ...fields, limit: String(pageSize), offset: String(offset) }).toString();
      const { matches, isCut } = await readPage(client, url, now, signal);
      const head = JSON.stringify(matches[0] ?? null);
      if (matches.length === 0 || head === first) return;
      first ||= head;
      const { wrapDataSet } = await loading;
      for (const match of matches) yield wrapDataSet(match);
      if (matches.length < pageSize && !isCut) return;
      offset += matches.length;
    }
  }
  const includes = (...tags: readonly string[]) => ({ includefield: tags.join(',') });
  return {
    findStudies(query: StudyQuery) {
      const { date, modalities, description, patientIdIssuer, birthDate } = studyTags;
      const keys =
        'accession' in query
          ? { AccessionNumber: query.accession }
          : { PatientID: query.patient, StudyDate: `${query.from}-${query.to}` };
      return search('studies', { ...keys, ...includes(date, modalities, description, patientIdIssuer, birthDate) });
    },
    async findReports(study) {
      const objects: ObjectName[] = [];
      let looked = 0;
      for await (const each of search(`studies/${study}/series`, {})) {
        if (++looked > maxSeries) break;
        const series = readValue(each, '0020000E');
        if (!mayHoldReports(readValue(each, '00080060')) || !isUid(series)) continue;
        for await (const object of search(`studies/${study}/series/${series}/instances`, {})) {
          const [sopClass, instance] = [readValue(object, '00080016'), readValue(object, '00080018')];
          if (reportClasses.includes(sopClass) && isUid(instance)) objects.push({ study, series, instance, sopClass });
          if (objects.length >= maxObjects) return objects;
        }
      }
      return objects;
    },
    async read({ study, series, instance }) {
      const url = client.urlOf(`studies/${study}/series/${series}/instances/${instance}`);
      // Reports have no frames: any syntax is as it lies there.
      const accept = 'multipart/related; type="application/dicom"';
      const answer = await client.ask(url, { method: 'GET', accept }, signal);
      const collector = new ByteCollector();
      for await (const piece of answer.body) {
        collector.add(piece);
        if (collector.length > maxAnswer) return undefined;
      }
      if (answer.status >= 400 && !ofService.has(answer.status)) return undefined;
      if (answer.status !== 200) throw refuse(url, answer.status, answer.headers['retry-after'], now());
      return firstPart(collector.take(), answer.headers['content-type'] ?? '');
    },
    close: async () => {},
  };
}

/** Failures of the service; all others are of the object that was asked for. */
const ofService: ReadonlySet<number> = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

interface Page {
  readonly matches: readonly Readonly<Record<string, unknown>>[];
  /** Whether the PACS warns that there are more (PS3.18 8.3.4.4). */
  readonly isCut: boolean;
}

async function readPage(client: WebClient, url: URL, now: () => number, signal: AbortSignal): Promise<Page> {
  const answer = await client.ask(url, { method: 'GET', accept: 'application/dicom+json' }, signal);
  const text = await answer.text(maxAnswer);
  if (answer.status === 204) return { matches: [], isCut: false };
  if (answer.status !== 200) throw refuse(url, answer.status, answer.headers['retry-after'], now());
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every(isPlainObject))
      return { matches: value, isCut: answer.headers['warning']?.startsWith('299') === true };
  } catch {
    // Reported below, without its content.
  }
  throw new AppError('BAD_ANSWER', { message: `${url.origin} does not answer with DICOM JSON: is base_url right?` });
}

/** The first part of a multipart answer (RFC 2046 5.1.1), or the whole of another. `undefined`: it is cut off. */
function firstPart(body: Buffer, contentType: string): Uint8Array | undefined {
  if (!/^multipart\//i.test(contentType)) return body;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = `--${quoted ?? plain ?? ''}`;
  const head = body.indexOf('\r\n\r\n', body.indexOf(boundary));
  const end = body.indexOf(`\r\n${boundary}`, head + 4);
  if (boundary === '--' || head < 0 || end < 0) return undefined;
  return body.subarray(head + 4, end);
}
