/** Stores reports on a FHIR server by conditional updates (R4, 3.1.0.4.3): a report that is sent twice is stored once. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import type { ChannelConfig, OutboundDeps, Sender } from '../../channel.ts';
import { retryLater, explainFailure } from '../../failures.ts';
import { createFhirClient } from '../fhir/client.ts';
import { normaliseUrl } from '../fhir/normalise-url.ts';
import { toSendResult } from '../../sending/http-verdict.ts';
import { writeOrderStatus } from './order-status.ts';
import type { FhirOutSettings } from './settings.ts';
import { elementAt } from '../../../../../src/domain/elements.ts';

const defaultScope = 'system/DiagnosticReport.write system/Binary.write';

/** The fields of a rendered report that are needed here. */
interface ReportResource {
  readonly id: string;
  readonly meta?: { readonly tag?: unknown };
  readonly identifier: readonly [{ readonly value: string }, ...unknown[]];
  /** The report that this one replaces. */
  readonly extension?: readonly [{ readonly url: string; readonly valueReference: { readonly identifier: object } }];
  readonly presentedForm: readonly { readonly contentType: string; readonly data?: string }[];
}

export async function openReports(
  { settings }: ChannelConfig<FhirOutSettings>,
  { clock }: OutboundDeps,
): Promise<Sender> {
  const { mode = 'single', identifier_system: system = 'urn:laudio:record', scope = defaultScope } = settings;
  const { order_status: orderStatus = 'keep' } = settings;
  const now = (): number => machineClockOf(clock).now();
  const client = await createFhirClient({ ...settings, scope }, now);
  return {
    address: settings.base_url,
    formats: ['fhir'],
    server: normaliseUrl(settings.base_url),
    async test(signal) {
      const answer = await client.get(client.urlOf('metadata'), signal);
      if (answer?.resource['resourceType'] === 'CapabilityStatement') return `${client.urlOf('').origin} answers.`;
      throw new AppError('BAD_ANSWER', { message: 'The server has no metadata: is base_url right?' });
    },
    async send(message, signal) {
      const report = JSON.parse(Buffer.from(elementAt(message.contents, 0)).toString()) as ReportResource;
      const request = mode === 'single' ? buildSingle(report, system) : buildTransaction(report, system);
      try {
        const { status, wait } = await client.write(request.method, client.urlOf(request.path), request.body, signal);
        const result = toSendResult(status, wait, now());
        const { known, record } = message.report;
        if (result.state !== 'delivered' || orderStatus === 'keep' || !known) return result;
        const identifier = { system, value: record.id };
        const written = { isFinal: record.status === 'final', identifier };
        return (await writeOrderStatus(client, orderStatus, known, written, { now, signal })) ?? result;
      } catch (error) {
        if (error instanceof AppError)
          return retryLater(error.code, explainFailure(error), (error.retryAfter ?? 0) * 1000);
        throw error;
      }
    },
    close: () => client.close(),
  };
}

/** Removes what the server assigns: id and version. */
function withIdentifier({ id: _id, meta, extension, ...report }: ReportResource, system: string) {
  const [own, ...others] = report.identifier;
  const replaced = extension?.map(({ url, valueReference: { identifier, ...reference } }) => ({
    url,
    valueReference: { ...reference, identifier: { system, ...identifier } },
  }));
  const query = new URLSearchParams({ identifier: `${system}|${own.value}` });
  return {
    path: `DiagnosticReport?${query}`,
    resource: {
      ...report,
      ...(meta?.tag !== undefined && { meta: { tag: meta.tag } }),
      identifier: [{ system, ...own }, ...others],
      ...(replaced && { extension: replaced }),
    },
  };
}

function buildSingle(report: ReportResource, system: string) {
  const { path, resource } = withIdentifier(report, system);
  return { method: 'PUT' as const, path, body: resource };
}

/** A Binary cannot be searched for: it gets the id of the report, so that later versions replace it too. */
function buildTransaction(report: ReportResource, system: string) {
  const pdf = report.presentedForm.find(({ contentType }) => contentType === 'application/pdf');
  const url = `Binary/${report.id}`;
  const presentedForm = report.presentedForm.map((form) => {
    if (form !== pdf) return form;
    const { data: _data, ...rest } = form;
    return { ...rest, url };
  });
  const { path, resource } = withIdentifier({ ...report, presentedForm }, system);
  const binary = { resourceType: 'Binary', id: report.id, contentType: 'application/pdf', data: pdf?.data };
  const entry = [
    { resource: binary, request: { method: 'PUT', url } },
    { resource, request: { method: 'PUT', url: path } },
  ];
  return { method: 'POST' as const, path: '', body: { resourceType: 'Bundle', type: 'transaction', entry } };
}
