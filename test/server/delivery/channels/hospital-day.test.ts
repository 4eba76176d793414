/**
 * A day of a hospital in the time of the server: orders by HL7 and FHIR, merges, cancellations, exams that modalities make, priors from a PACS,
 * results to RIS and PACS, webhooks, FHIR notifications, and outages of each side. A model says what must be there in the evening: every order
 * once, under the patient that it belongs to, as far as its modality said, each result once, and each notification.
 */
import { expect, onTestFinished, test, vi } from 'vitest';
import { formEncode } from '../../../../src/client/address.ts';
import { reportTopic } from '../../../../src/contract/fhir-subscription.ts';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import { exploringTest } from '../../../support/exploring-test.ts';
import { explored } from '../../../support/explored.ts';
import { startFhirServer } from '../../../support/fhir-server.ts';
import { acknowledged, fieldOf, hl7Receiver } from '../../../support/hl7-receiver.ts';
import { connectMllp } from '../../../support/mllp.ts';
import { createModality, formerNumber, startHospitalPacs } from '../../../support/hospital-dicom.ts';
import { createReceiver } from '../webhooks/receiver.ts';
import { framed } from '../../../../src/protocols/mllp/frames.ts';

const { channels, fhir, priors, records, webhooks, worklists } = contract;
const space = 'test_tc_local';
const measured = 'Test Patient. Findings: nodule of 6 mm in the right lung. Impression: nodule.';
const secondsADay = 12 * 3600;

/** The parts of notifications that the model looks at. */
interface Notification {
  readonly data?: { readonly record_id: string };
  readonly entry?: readonly {
    readonly resource: {
      readonly parameter: readonly {
        readonly part?: readonly { readonly name: string; readonly valueString?: string }[];
      }[];
    };
  }[];
}

interface Size {
  readonly orders: number;
  readonly merges: number;
  readonly cancellations: number;
  readonly reports: number;
  /** Exams that modalities make, in addition to those that are reported. */
  readonly scans: number;
}

/** Numbers from 0 up to `below`, the same for a seed (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 1_000_003) % below;
  };
}

/** `findPatient`: the patient of an accession number. */
async function openHospital(findPatient: (accession: string) => string) {
  const api = await startApi({ timeZone: 'UTC', accessTokenTtl: 86_400_000 }, onTestFinished);
  const [ris, ehr] = [await hl7Receiver(), await startFhirServer({ pageSize: 50 })];
  const add = async (name: string, kind: string, settings: object) =>
    succeeded(await api.call(channels.endpoints.add, { body: { name, kind, space, settings } }), 201).state.address!;
  const address = await add('ris', 'hl7-in', { port: 0 });
  await add('ehr', 'fhir-in', { base_url: `${ehr.url}/fhir`, interval_seconds: 60, page_size: 50 });
  await add('results', 'hl7-out', { host: '127.0.0.1', port: ris.port, pdf: 'none', answer_seconds: 5 });
  const pacs = await startHospitalPacs(findPatient);
  const archive = { host: '127.0.0.1', port: pacs.port, called_title: 'PACS' };
  await add('archive', 'dicom-out', { ...archive, objects: ['dicom-sr', 'dicom-measurements'] });
  await add('pacs', 'dicom-pacs', { ...archive, time_zone: 'UTC' });
  const worklist = { port: 0, time_zone: 'UTC', max_answers: 10_000 };
  const modalities = await add('modalities', 'dicom-worklist-provider', worklist);
  const portal = await createReceiver(204);
  const own = { kind: 'server' as const, test_mode: true, space, redirect_uris: [] };
  const { client_id, client_secret } = await api.createClient(own);
  const hook = { url: portal.url, events: ['worklist.document.completed' as const] };
  succeeded(await api.call(webhooks.endpoints.put, { params: { client_id }, body: hook }), 201);
  const login = await api.send({
    method: 'POST',
    url: '/api/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: formEncode({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token: token } = login.json as { access_token: string };
  const channel = { type: 'rest-hook', endpoint: `${portal.url}/fhir`, payload: 'application/fhir+json' };
  const subscription = { resourceType: 'Subscription', status: 'requested', criteria: reportTopic, channel };
  expect((await api.call(fhir.endpoints.subscribe, { token, body: subscription })).status).toBe(201);
  // The handshake is before the first outage.
  await portal.arrived(1);
  let peer = await connectMllp(address);
  onTestFinished(() => peer.close());
  const ask = async (text: string): Promise<string> => {
    try {
      return await peer.ask(text);
    } catch {
      // The server hung up: nothing came for long. A sender says it again.
      peer = await connectMllp(address);
      return peer.ask(text);
    }
  };
  let count = 0;
  const message = (type: string, ...segments: readonly string[]): string => {
    const at = new Date(api.clock.now()).toISOString().replace(/\D/g, '').slice(0, 14);
    count += 1;
    return [`MSH|^~\\&|RIS|HSL|LAUDIO|HSL|${at}+0000||${type}|D${count}|P|2.5.1`, ...segments, ''].join('\r');
  };
  return {
    api,
    ris,
    ehr,
    portal,
    pacs,
    modality: createModality(Number(/\d+$/.exec(modalities)![0])),
    message,
    /** Sends a message, and breaks the connection in the middle of it before, or repeats it after, as some senders do. */
    async send(text: string, fault: 'none' | 'broken' | 'repeated'): Promise<void> {
      if (fault === 'broken') {
        peer.socket.write(framed(Buffer.from(text)).subarray(0, 40));
        peer.close();
        peer = await connectMllp(address);
      }
      for (let times = fault === 'repeated' ? 2 : 1; times > 0; times -= 1)
        expect(await ask(text)).toContain('MSA|AA|');
    },
  };
}

const pid = (patient: string): string => `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`;
const order = (accession: string, patient: string, control: string): string[] => [
  pid(patient),
  `ORC|${control}|PL-${accession}|||SC||^^^20260302180000`,
  `OBR|1|PL-${accession}||CT^TC${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
];

async function playDay({ orders, merges, cancellations, reports, scans }: Size): Promise<void> {
  const random = randomNumbers(explored.seed);
  /** Patient by accession number, and the numbers that were cancelled or reported. */
  const model = new Map<string, string>();
  const { api, ris, ehr, portal, pacs, modality, message, send } = await openHospital((each) => model.get(each)!);
  /** How far modalities are with the exams that they began. */
  const made = new Map<string, 'in_progress' | 'completed' | 'discontinued'>();
  const [cancelled, reported] = [new Set<string>(), new Set<string>()];
  const gone = new Set<string>();
  const everyFault = ['none', 'none', 'none', 'none', 'broken', 'repeated'] as const;
  const pickFault = () => everyFault[random(everyFault.length)]!;
  const pickOpen = (): string | undefined => {
    const open = [...model.keys()].filter(
      (each) => !cancelled.has(each) && !reported.has(each) && !made.has(each) && each.startsWith('H'),
    );
    return open[random(open.length)];
  };

  const findExam = async (accession: string) => {
    const query = { accession_number: accession };
    return succeeded(await api.call(worklists.endpoints.list, { query })).items[0]!;
  };

  const actions = {
    async order() {
      const accession = `H${model.size + 1}`;
      let patient = '';
      do patient = `P${random(orders)}`;
      while (gone.has(patient));
      model.set(accession, patient);
      await send(message('ORM^O01^ORM_O01', ...order(accession, patient, 'NW')), pickFault());
    },
    async fhirOrder() {
      const accession = `F${model.size + 1}`;
      model.set(accession, 'PF');
      ehr.now = api.clock.now();
      ehr.put({
        resourceType: 'Patient',
        id: 'pf',
        identifier: [{ value: 'PF' }],
        name: [{ family: 'Patient', given: ['Test'] }],
      });
      ehr.put({
        resourceType: 'ServiceRequest',
        id: accession,
        status: 'active',
        intent: 'order',
        identifier: [{ type: { coding: [{ code: 'ACSN' }] }, value: accession }],
        code: { text: 'CT' },
        orderDetail: [{ coding: [{ system: 'http://dicom.nema.org/resources/ontology/DCM', code: 'CT' }] }],
        subject: { reference: 'Patient/pf' },
        occurrenceDateTime: '2026-03-02T18:00:00Z',
      });
    },
    async merge() {
      const patients = [
        ...new Set([...model].flatMap(([accession, patient]) => (accession.startsWith('H') ? [patient] : []))),
      ];
      const [into, from] = [patients[random(patients.length)], patients[random(patients.length)]];
      if (into === undefined || from === undefined || into === from) return;
      gone.add(from);
      for (const [accession, patient] of model) if (patient === from) model.set(accession, into);
      await send(message('ADT^A40', pid(into), `MRG|${from}^^^HSL||||||TESTE^PACIENTE`), pickFault());
    },
    async cancel() {
      const accession = pickOpen();
      if (accession === undefined) return;
      cancelled.add(accession);
      await send(message('ORM^O01^ORM_O01', ...order(accession, model.get(accession)!, 'CA')), pickFault());
    },
    /** A modality makes an exam of its worklist, or one that somebody typed in there, so that only the PACS knows its study. */
    async scan(ending?: 'completed') {
      const accession = pickOpen();
      if (accession === undefined) return undefined;
      const instance = `1.2.826.7.${made.size + 1}`;
      const isTyped = random(5) === 0;
      const listed = isTyped ? [] : await modality.query(accession);
      if (!isTyped) expect(listed).toEqual([{ accession, patient: model.get(accession), study: expect.any(String) }]);
      const fault = pickFault();
      if (fault === 'broken') await modality.breakOff();
      const times = fault === 'repeated' ? [1, 2] : [1];
      for (const _ of times) expect(await modality.begin(instance, accession)).toBe(0);
      const end = ending ?? (['in_progress', 'completed', 'completed', 'discontinued'] as const)[random(4)]!;
      made.set(accession, end);
      if (end === 'in_progress') return accession;
      for (const _ of times)
        expect(await modality.end(instance, end === 'completed' ? 'COMPLETED' : 'DISCONTINUED')).toBe(0);
      if (end === 'completed') pacs.studies.set(accession, listed[0]?.study ?? `1.2.826.9.${made.size}`);
      return accession;
    },
    async report() {
      const accession = await actions.scan('completed');
      if (accession === undefined) return;
      reported.add(accession);
      const item = await findExam(accession);
      const { id } = await api.generate({ text: measured, language: 'en-US', worklist_item_id: item.id });
      succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
    },
    /** The other sides are away, or don't answer, until the next one. */
    async outage() {
      const isOver = random(2) === 0;
      ehr.intervene = () => (isOver ? undefined : { status: 503, headers: { 'retry-after': '30' } });
      ris.answer = (control) => (isOver ? acknowledged(control) : acknowledged(control, 'AR', 'busy', 'ERR|||207|E'));
      portal.reply = isOver ? 204 : 503;
      await pacs.be(isOver ? 'well' : (['full', 'away'] as const)[random(2)]!);
    },
  };
  const day = [
    ...Array.from({ length: orders }, (_, at) => (at % 10 === 9 ? actions.fhirOrder : actions.order)),
    ...Array.from({ length: merges }, () => actions.merge),
    ...Array.from({ length: cancellations }, () => actions.cancel),
    ...Array.from({ length: reports }, () => actions.report),
    ...Array.from({ length: scans }, () => () => actions.scan()),
    ...Array.from({ length: 20 }, () => actions.outage),
  ].map((act) => ({ act, at: random(secondsADay) }));
  day.sort((a, b) => a.at - b.at);
  for (const [place, { act, at }] of day.entries()) {
    api.clock.advance((at - (day[place - 1]?.at ?? 0)) * 1000);
    await act();
  }

  ehr.intervene = () => undefined;
  ris.answer = (control) => acknowledged(control);
  portal.reply = 204;
  await pacs.be('well');
  /** Reports that the portal was told of: by webhook the ids, by the Subscription the numbers of events. */
  const readTold = () => {
    const told = portal.requests.map(({ path, body }) => ({ path, body: JSON.parse(body) as Notification }));
    const records = told.flatMap(({ path, body }) => (path === '/hook' ? [body.data!.record_id] : []));
    const numbers = told.flatMap(({ path, body }) => {
      if (path === '/hook') return [];
      const { parameter } = body.entry![0]!.resource;
      return parameter.flatMap(({ part = [] }) =>
        part.flatMap(({ name, valueString }) => (name === 'event-number' ? [valueString] : [])),
      );
    });
    return [new Set(records).size, new Set(numbers).size];
  };
  /** One after the other, each with its own patience: a whole day takes long on a busy machine. */
  const settle = (holds: () => void | Promise<void>) =>
    vi.waitFor(
      async () => {
        api.clock.advance(60_000);
        await holds();
      },
      { timeout: 30_000 * explored.times },
    );
  await settle(() => expect(new Set(ris.messages.map((each) => fieldOf(each, 'OBR', 18))).size).toBe(reported.size));
  await settle(() => expect(readTold()).toEqual([reported.size, reported.size]));
  let unknown = [...pacs.studies];
  await settle(async () => {
    const found = await Promise.all(unknown.map(([accession]) => findExam(accession)));
    unknown = unknown.filter(([, study], at) => found[at]!.study_uid !== study);
    expect(unknown).toEqual([]);
  });
  await settle(() => expect(pacs.stored.size).toBe(2 * reported.size));
  await settle(async () => expect(await findWithoutPrior()).toEqual([]));

  /** Some exams that need a report, whose patient's former report is not there once. */
  async function findWithoutPrior(): Promise<string[]> {
    const open = (await listExams()).filter(
      ({ status, patient_id: id }) => status === 'new' && formerNumber(id) !== undefined,
    );
    const without: string[] = [];
    for (const { id, patient_id: patient } of open.slice(0, 10)) {
      const { items } = succeeded(await api.call(priors.endpoints.ofItem, { params: { id }, query: { limit: 200 } }));
      if (items.filter((each) => each.accession_number === formerNumber(patient)).length !== 1) without.push(id);
    }
    return without;
  }

  async function listExams() {
    const all = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: 200, ...(cursor !== undefined && { cursor }) };
      const page = succeeded(await api.call(worklists.endpoints.list, { query }));
      all.push(...page.items);
      cursor = page.next_cursor;
    }
    return all;
  }
  const statusOf = (accession: string): string =>
    cancelled.has(accession) ? 'cancelled' : reported.has(accession) ? 'completed' : 'new';
  const expected = [...model].map(([accession, patient]) => `${accession} ${patient} ${statusOf(accession)}`);
  const exams = await listExams();
  expect(exams.map((each) => `${each.accession_number} ${each.patient_id} ${each.status}`).toSorted()).toEqual(
    expected.toSorted(),
  );
  for (const each of exams) {
    const { accession_number: number, exam_status: progress } = each;
    expect(progress === 'scheduled' ? undefined : progress, number!).toBe(made.get(number!) ?? undefined);
  }
  // Whoever was begun, cancelled or reported is no longer listed.
  const isListed = (each: string): boolean => !cancelled.has(each) && !made.has(each);
  expect((await modality.query()).map(({ accession }) => accession).toSorted()).toEqual(
    [...model.keys()].filter(isListed).toSorted(),
  );
  const kept = [...pacs.stored.values()].map(({ accession, study }) => `${accession} ${study}`);
  const sent = [...reported].map((each) => `${each} ${pacs.studies.get(each)!}`);
  expect(kept.toSorted()).toEqual([...sent, ...sent].toSorted());
  // A result that was refused for a while is the same message each time.
  const results = new Map(ris.messages.map((each) => [fieldOf(each, 'MSH', 9), fieldOf(each, 'OBR', 18)]));
  expect([...results.values()].toSorted()).toEqual([...reported].toSorted());
  for (const name of ['ris', 'ehr', 'results', 'archive', 'pacs', 'modalities']) {
    const { items } = succeeded(await api.call(channels.endpoints.queue, { params: { channel: name } }));
    expect(items.filter(({ state }) => state === 'refused' || state === 'waiting')).toEqual([]);
  }
}

test('a tenth of a hospital’s day', () =>
  playDay({ orders: 200, merges: 30, cancellations: 5, reports: 4, scans: 10 }));

exploringTest('a day of a hospital', () =>
  playDay({ orders: 2000, merges: 300, cancellations: 50, reports: 40, scans: 400 }),
);
