/**
 * Reads all orders of a FHIR server by a Bulk Data export, step by step between polls. What is stored after each batch of orders
 * says where to go on after a restart; orders that come a second time have no effect. A batch is held in memory, and the files of
 * patients and others are read once for each batch, so that memory does not grow with the export.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { deepestReference, namesIn } from '../../../../../src/domain/fhir-references.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import { retryAfter } from '../../../../../src/domain/retry-schedule.ts';
import type { ChannelConfig, InboundDeps } from '../../channel.ts';
import { explainFailure } from '../../failures.ts';
import type { FhirClient, Resource } from '../fhir/client.ts';
import { normaliseUrl } from '../fhir/normalise-url.ts';
import { newExport, readExportNote } from './export-note.ts';
import type { ExportNote } from './export-note.ts';
import { checkOrigins, readManifest, readResources } from './export-files.ts';
import type { ExportFile, ExportManifest } from './export-files.ts';
import { createReferences, nameOf } from './pages.ts';
import type { FhirInSettings } from './settings.ts';
import { takeOrder } from './take-order.ts';

export interface BulkExport {
  /** Does what can be done now of an export that was asked for. Resolves to a problem for the operator; `null`: none. */
  step(signal: AbortSignal): Promise<string | null>;
}

/** Orders of a batch. */
const batchSize = 2000;
/** Resources to which the orders of a batch refer. */
const maxReferred = 20_000;
const maxManifest = 16 * 1024 * 1024;
/** Types to which orders refer. */
const referred = ['Patient', 'Practitioner', 'PractitionerRole', 'Organization', 'Location', 'Encounter'] as const;

export function createBulkExport(
  { name, settings }: ChannelConfig<FhirInSettings>,
  client: FhirClient,
  { clock, intake, log }: Pick<InboundDeps, 'clock' | 'intake' | 'log'>,
): BulkExport {
  const machine = machineClockOf(clock);
  const { resources: types = ['ServiceRequest'], interval_seconds: seconds = 60, export_path = '$export' } = settings;
  const orderTypes: ReadonlySet<string> = new Set(types);
  /** In elapsed time. */
  let notBefore = 0;

  const remember = (note: ExportNote | undefined): Promise<void> => intake.remember('export', note);
  const waitFor = (header: string | undefined): void => {
    notBefore =
      machine.elapsed() + Math.max(retryAfter(header ?? null, machine.now()), seconds * 1000 * Number(!header));
  };

  async function begin(note: ExportNote, signal: AbortSignal): Promise<void> {
    const url = client.urlOf(export_path);
    url.search = new URLSearchParams({
      _type: [...types, ...referred].join(','),
      _outputFormat: 'application/fhir+ndjson',
      ...(note.since !== null && { _since: note.since }),
    }).toString();
    const answer = await client.ask('GET', url, signal, { prefer: 'respond-async' });
    await answer.text(maxManifest);
    if (answer.status !== 202 && isRefusal(answer.status)) {
      await remember(undefined);
      log({ level: 'warn', event: 'fhir_export_refused', channel: name, status: answer.status });
      throw refuseExport(url, answer.status);
    }
    if (isBusy(answer.status)) waitFor(answer.headers['retry-after']);
    const at = answer.headers['content-location'];
    if (answer.status !== 202 || at === undefined) throw refuseExport(url, answer.status);
    await remember({ ...newExport(note.since), status: new URL(at, url).href });
    log({ level: 'info', event: 'fhir_export_began', channel: name });
    waitFor(answer.headers['retry-after']);
  }

  /** `undefined`: it is not ready. */
  async function findManifest(status: URL, note: ExportNote, signal: AbortSignal): Promise<ExportManifest | undefined> {
    const answer = await client.ask('GET', status, signal);
    const text = await answer.text(maxManifest);
    if (answer.status === 200) return readManifest(text, status);
    if (answer.status === 202 || isBusy(answer.status)) waitFor(answer.headers['retry-after']);
    // The server has forgotten the export, so another one begins.
    else if (isRefusal(answer.status)) await remember(newExport(note.since));
    else throw refuseExport(status, answer.status);
    return undefined;
  }

  async function readAll(note: ExportNote, manifest: ExportManifest, signal: AbortSignal): Promise<number> {
    const files = manifest.output.filter(({ type }) => orderTypes.has(type));
    const others = manifest.output.filter(({ type }) => !orderTypes.has(type) || type === 'ServiceRequest');
    let { orders } = note;
    let unread = 0;
    for (let file = note.file; file < files.length; file++) {
      const from = file === note.file ? note.line : 0;
      let batch: Resource[] = [];
      let line = 0;
      const takeBatch = async (next: Pick<ExportNote, 'file' | 'line'>): Promise<void> => {
        const references = createReferences(client, signal, maxReferred);
        references.learn(await findReferred(client, batch, others, signal));
        for (const order of batch) await takeOrder(intake, order, references);
        orders += batch.length;
        batch = [];
        await remember({ ...note, ...next, orders });
      };
      for await (const resource of readResources(client, files[file] as ExportFile, signal)) {
        line += 1;
        if (line <= from) continue;
        if (orderTypes.has(String(resource?.['resourceType']))) batch.push(resource as Resource);
        else unread += 1;
        if (batch.length >= batchSize) await takeBatch({ file, line });
      }
      await takeBatch({ file: file + 1, line: 0 });
    }
    if (unread > 0) log({ level: 'warn', event: 'fhir_export_lines_unread', channel: name, count: unread });
    return orders;
  }

  /** Cancels the exams of orders that were deleted, unless somebody has taken them. */
  async function cancelDeleted(files: readonly ExportFile[], signal: AbortSignal): Promise<void> {
    const deleted = await findDeleted(client, files, signal);
    if (deleted.size === 0) return;
    const own = normaliseUrl(settings.base_url);
    await intake.cancelMissing({
      during: { from: -Infinity, to: Infinity },
      isNamed({ fhir }) {
        const requests = fhir?.find(({ server }) => server === own)?.requests ?? [];
        return requests.length === 0 || !requests.every((id) => deleted.has(id));
      },
    });
  }

  async function work(note: ExportNote, signal: AbortSignal): Promise<void> {
    if (note.status === undefined) return begin(note, signal);
    const status = new URL(note.status);
    const manifest = await findManifest(status, note, signal);
    if (!manifest) return;
    checkOrigins(manifest, client.urlOf(''), { name, settings });
    const orders = await readAll(note, manifest, signal);
    await cancelDeleted(manifest.deleted, signal);
    const mark = await intake.readUntil();
    if (manifest.until !== undefined && (mark === undefined || mark < manifest.until))
      await intake.markRead(manifest.until);
    await remember(undefined);
    log({ level: 'info', event: 'fhir_export_done', channel: name, orders });
    // The server may remove its files; if it does not hear of it, it removes them later.
    await client
      .ask('DELETE', status, signal)
      .then((answer) => answer.text(maxManifest))
      .catch(() => undefined);
  }

  return {
    async step(signal) {
      const note = readExportNote(await intake.recall('export'));
      if (!note || machine.elapsed() < notBefore) return null;
      try {
        await work(note, signal);
        return null;
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError) || error.code === 'STORAGE_UNAVAILABLE') throw error;
        return `The export goes on later: ${explainFailure(error)}`;
      }
    },
  };
}

/** A refusal that stays the same if the request is repeated. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

const isBusy = (status: number): boolean => status === 429 || status === 503;

const refuseExport = ({ origin }: URL, status: number): AppError =>
  new AppError('NETWORK', {
    message: `${origin} answered the export with ${status}.`,
    details: { status },
    hint: 'If it stays so, start another one: laudio channel import NAME.',
  });

/** Finds the resources of the files to which the orders refer. */
async function findReferred(
  client: FhirClient,
  orders: readonly Resource[],
  files: readonly ExportFile[],
  signal: AbortSignal,
) {
  const found = new Map<string, Resource>();
  let wanted = new Set(orders.flatMap(namesIn));
  for (let depth = 0; depth < deepestReference && wanted.size > 0; depth++) {
    const types = new Set(Array.from(wanted, (each) => each.split('/')[0]));
    const next = new Set<string>();
    for (const file of files.filter(({ type }) => types.has(type))) {
      for await (const resource of readResources(client, file, signal)) {
        if (!resource || !wanted.has(nameOf(resource)) || found.size >= maxReferred) continue;
        found.set(nameOf(resource), resource);
        for (const each of namesIn(resource)) if (!wanted.has(each)) next.add(each);
      }
    }
    wanted = new Set([...next].filter((each) => !found.has(each)));
  }
  return [...found.values()];
}

/** Ids of the ServiceRequests that the files name as deleted. */
async function findDeleted(
  client: FhirClient,
  files: readonly ExportFile[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const deleted = new Set<string>();
  for (const file of files)
    for await (const bundle of readResources(client, file, signal))
      for (const id of readDeleted(bundle)) deleted.add(id);
  return deleted;
}

/** Ids of the ServiceRequests that a Bundle of deletions names. */
function readDeleted(bundle: Resource | undefined): string[] {
  const entries = Array.isArray(bundle?.['entry']) ? (bundle['entry'] as unknown[]).filter(isPlainObject) : [];
  return entries.flatMap(({ request }) => {
    const url = isPlainObject(request) && request['method'] === 'DELETE' ? request['url'] : undefined;
    const id = typeof url === 'string' ? /(?:^|\/)ServiceRequest\/([A-Za-z0-9.-]{1,64})$/.exec(url)?.[1] : undefined;
    return id === undefined ? [] : [id];
  });
}
