/**
 * The FHIR server of a RIS with orders: answers searches by `_lastUpdated` in pages, reads, and Bulk Data exports, which are ready at
 * the second question. Whoever makes a Subscription is notified of the last order. Ends when everything was fetched.
 */
import { AppError } from '../../src/contract/errors.ts';
import { deepestReference, namesIn } from '../../src/domain/fhir-references.ts';
import type { Context } from '../context.ts';
import { readInput } from '../shell/input-file.ts';
import { createFhirNotifier } from './fhir-notifier.ts';
import { answerHttp } from './http-peer.ts';
import type { PeerResponse, PeerRequest } from './http-peer.ts';
import { capabilities, outcome, resourceIn, listResources } from './fhir-resources.ts';
import type { FhirResource } from './fhir-resources.ts';
import type { Simulation, Simulator } from './simulator.ts';
import { testOrders } from './test-orders.ts';
import type { TestOrder } from './test-orders.ts';
import { tlsOptions } from './tls.ts';
import { valueAt } from '../../src/domain/elements.ts';

const largestFile = 64 * 1024 * 1024;
const defaultPageSize = 50;

/** The resources that a channel searches; it reads the others by reference. */
const searched: ReadonlySet<string> = new Set(['ServiceRequest', 'ImagingStudy', 'Appointment']);

export const fhirProvider: Simulator = {
  options: ['listen', 'file', 'count', ...tlsOptions],
  faults: {
    pages: 'a page has a single resource',
    busy: 'the first search is answered with 429',
    plain: 'includes are refused with 400, as by servers that do not know them',
    lost: 'the notification of an order does not arrive, and the next heartbeat counts it',
  },
  async run(context, wanted) {
    const lastUpdated = new Date(context.clock.now()).toISOString();
    const stored = new Map<string, FhirResource>();
    for (const [at, resource] of (await resourcesFor(context, wanted)).entries()) {
      const { resourceType, id = `simulated-${at + 1}` } = resource;
      stored.set(`${resourceType}/${String(id)}`, { ...resource, id, meta: { versionId: '1', lastUpdated } });
    }
    const referred = (resource: FhirResource): string[] => namesIn(resource).filter((name) => stored.has(name));
    const all = [...stored].filter(([, { resourceType }]) => searched.has(resourceType));
    const orders = all.slice(0, wanted.count);
    for (const [name] of all.slice(orders.length)) stored.delete(name);
    /** The resources not fetched yet: the orders and, as a channel asks, their references, recursively. */
    const waiting = new Set(orders.map(([name]) => name));
    for (let depth = 0; depth < deepestReference; depth++) {
      for (const name of [...waiting].flatMap((each) => referred(valueAt(stored, each)))) waiting.add(name);
    }
    if (waiting.size === 0) {
      throw new AppError('USAGE', {
        message: 'The file holds no order.',
        hint: `It takes a resource or a Bundle with ${[...searched].join(', ')}.`,
      });
    }
    let searches = 0;

    const search = (type: string, { url }: PeerRequest): PeerResponse => {
      const faults = wanted.faults;
      const toEvent = (more: string) => ({ what: `search ${type}`, more });
      if (faults.has('busy') && searches++ === 0)
        return { status: 429, headers: { 'retry-after': '1' }, event: toEvent('busy on purpose') };
      if (faults.has('plain') && url.searchParams.has('_include'))
        return { status: 400, body: outcome('_include is not known.'), event: toEvent('includes refused on purpose') };
      const from = Date.parse((url.searchParams.get('_lastUpdated') ?? '').replace(/^ge/, ''));
      const isNew = ({ meta }: FhirResource): boolean =>
        !(from > Date.parse((meta as { lastUpdated: string }).lastUpdated));
      const all = [...stored].filter(([, resource]) => resource.resourceType === type && isNew(resource));
      const size = faults.has('pages')
        ? 1
        : Math.max(1, Math.min(Number(url.searchParams.get('_count')) || defaultPageSize, 1000));
      const begin = Number(url.searchParams.get('_offset') ?? 0) || 0;
      const page = all.slice(begin, begin + size);
      const next = new URL(url);
      next.searchParams.set('_offset', String(begin + size));
      const beside = url.searchParams.has('_include') ? page.flatMap(([, resource]) => referred(resource)) : [];
      const given = new Map(beside.map((name) => [name, 'include']));
      for (const [name] of page) given.set(name, 'match');
      for (const name of given.keys()) waiting.delete(name);
      const entry = [...given].map(([name, mode]) => ({
        fullUrl: new URL(name, `${url.origin}/fhir/`).href,
        resource: stored.get(name),
        search: { mode },
      }));
      const link = begin + size < all.length ? [{ relation: 'next', url: next.href }] : [];
      return {
        status: 200,
        body: { resourceType: 'Bundle', type: 'searchset', total: all.length, link, entry },
        event: toEvent(`${page.length} of ${all.length}`),
      };
    };

    let questions = 0;
    const exportTypes = (): string[] => [...new Set([...stored.values()].map(({ resourceType }) => resourceType))];
    /** `place`: `status`, or the type of a file. */
    const answerExport = (place: string | undefined, { url, method }: PeerRequest): PeerResponse => {
      const at = (name: string): string => new URL(`/fhir/$export/${name}`, url).href;
      if (place === undefined)
        return {
          status: 202,
          headers: { 'content-location': at('status') },
          event: { what: 'export', more: 'begins' },
        };
      if (method === 'DELETE') return { status: 202 };
      if (place === 'status') {
        questions += 1;
        if (questions === 1) return { status: 202, headers: { 'retry-after': '1' } };
        const output = exportTypes().map((type) => ({ type, url: at(type) }));
        return { status: 200, body: { transactionTime: lastUpdated, requiresAccessToken: false, output, error: [] } };
      }
      const given = [...stored].filter(([, { resourceType }]) => resourceType === place);
      for (const [name] of given) waiting.delete(name);
      const lines = given.map(([, resource]) => `${JSON.stringify(resource)}\n`).join('');
      return { status: 200, body: Buffer.from(lines), event: { what: `file ${place}`, more: `${given.length} lines` } };
    };

    const [name = '', last] = orders.at(-1) ?? [];
    const notifier = createFhirNotifier(context, wanted, {
      isLost: wanted.faults.has('lost'),
      hold: () => void stored.delete(name),
      release() {
        const meta = { versionId: '2', lastUpdated: new Date(context.clock.now()).toISOString() };
        if (last) stored.set(name, { ...last, meta });
        waiting.add(name);
      },
    });
    return answerHttp(
      context,
      { ...wanted, path: '/fhir' },
      (asked) => {
        const [, place] = /\/\$export(?:\/(\w+))?$/.exec(asked.url.pathname) ?? [];
        if (asked.url.pathname.includes('/$export')) return answerExport(place, asked);
        const [type = '', id] = asked.url.pathname.replace(/^\/fhir\//, '').split('/');
        if (type === 'metadata') return { status: 200, body: capabilities };
        if (type === 'Subscription') return notifier.answer(asked, id);
        if (id === undefined) return search(type, asked);
        const found = stored.get(`${type}/${id}`);
        waiting.delete(`${type}/${id}`);
        return found ? { status: 200, body: found } : { status: 404, body: outcome('There is no such resource.') };
      },
      () => waiting.size === 0,
    ).finally(() => notifier.close());
  },
};

/** The resources of the file, or orders of test patients. */
async function resourcesFor({ io, clock }: Context, { file, count }: Simulation): Promise<FhirResource[]> {
  if (file === undefined) return testOrders(count ?? 5, clock.now()).flatMap(resourcesOfOrder);
  const resource = resourceIn(await readInput(io, file, largestFile));
  if (!resource) throw new AppError('USAGE', { message: 'The file holds no FHIR resource in JSON.' });
  return listResources(resource);
}

/** Accession number (HL7 table 0203). */
const accessionType = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'ACSN' }] };

function resourcesOfOrder({ id, accession, exam, when, patient }: TestOrder): FhirResource[] {
  const [modality, code, text] = exam;
  return [
    {
      resourceType: 'Patient',
      id: patient.id,
      identifier: [{ system: 'urn:simulator', value: patient.id }],
      name: [{ family: patient.family, given: [patient.given] }],
      gender: 'female',
      birthDate: '1980-01-02',
    },
    {
      resourceType: 'ServiceRequest',
      id,
      identifier: [{ type: accessionType, value: accession }],
      status: 'active',
      intent: 'order',
      priority: 'routine',
      category: [{ coding: [{ system: 'http://snomed.info/sct', code: '363679005', display: 'Imaging' }] }],
      code: { coding: [{ system: 'urn:simulator', code, display: text }], text },
      subject: { reference: `Patient/${patient.id}` },
      occurrenceDateTime: new Date(when).toISOString(),
      orderDetail: [{ coding: [{ system: 'http://dicom.nema.org/resources/ontology/DCM', code: modality }] }],
    },
  ];
}
