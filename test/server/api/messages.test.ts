/** Bodies of HL7 and FHIR at the ingest, and times that name no zone. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { messageTypes } from '../../../src/contract/endpoint.ts';
import { contract } from '../../../src/contract/index.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';

const api = await startApi({ timeZone: 'America/Sao_Paulo' });
const { ingest, get } = contract.worklists.endpoints;
const send = (type: string, body: string, ask: { token?: string; headers?: Record<string, string> } = {}) =>
  api.call(ingest, { body, ...ask, headers: { 'content-type': type, ...ask.headers } });
const item = async (id: string) => succeeded(await api.call(get, { params: { id } }));

const order = (number: string, control = 'NW') =>
  [
    `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302080000||ORM^O01|M-${number}-${control}|P|2.3`,
    'PID|1||0045871^^^HSL||TESTE^PACIENTE||19710614|M',
    `ORC|${control}|P-${number}|F-${number}`,
    `OBR|1|P-${number}|F-${number}|TCTX^TC de torax|||20260302083000|||||||||||${number}||||||CT`,
  ].join('\r');

describe('HL7 and FHIR at the ingest', () => {
  const hl7Types = Object.entries(messageTypes).flatMap(([type, format]) => (format === 'hl7' ? [type] : []));
  test.each([...hl7Types, 'Application/HL7-V2; charset=utf-8'])(
    '%s: an order, its cancellation, and its return',
    async (type) => {
      const number = `H${type.length}`;
      const { items } = succeeded(await send(type, order(number)));
      expect(items).toMatchObject([
        { accession_number: number, status: expect.stringMatching(/inserted|updated|deduped/) },
      ]);
      const id = items[0]!.id!;
      expect(await item(id)).toMatchObject({ exam_datetime: '2026-03-02T08:30:00-03:00', modality: 'CT' });
      succeeded(await send(type, order(number, 'CA')));
      expect(await item(id)).toMatchObject({ status: 'cancelled', reason: 'Cancelled by the ordering system' });
      expect(succeeded(await send(type, order(number)))).toMatchObject({ items: [{ previous_status: 'cancelled' }] });
      expect((await item(id)).status).toBe('new');
    },
  );

  test.each([
    ['application/fhir+json', 'bundle.fhir.json'],
    ['application/fhir+xml', 'appointment.fhir.xml'],
    ['application/hl7-v2', 'batch.hl7'],
  ])('%s: %s of the samples is taken whole', async (type, name) => {
    const body = await readFile(`samples/worklists/${name}`, 'latin1');
    const result = succeeded(
      await api.call(ingest, { body: Buffer.from(body, 'latin1'), headers: { 'content-type': type } }),
    );
    expect(result.errors).toEqual([]);
    expect(result.items.length).toBeGreaterThan(0);
  });

  const cancelled = (body: string) => body.replaceAll('ORC|NW', 'ORC|CA').replaceAll('"active"', '"revoked"');
  const numbered = (exam: string, numbers: string) => order(exam).replaceAll(/\|P-[^|]*\|F-[^|\r]*/g, `|${numbers}`);
  const request = (exam: string, id: string) =>
    JSON.stringify({
      resourceType: 'ServiceRequest',
      id,
      status: 'active',
      intent: 'order',
      identifier: [{ type: { coding: [{ code: 'ACSN' }] }, value: exam }],
      code: { coding: [{ system: 'http://loinc.org', code: id, display: `CT ${id}` }] },
      subject: { identifier: { value: '1' }, display: 'Test Patient' },
      occurrenceDateTime: '2026-03-02T08:00:00-03:00',
      orderDetail: [{ coding: [{ system: 'http://dicom.nema.org/resources/ontology/DCM', code: 'CT' }] }],
    });
  test.each([
    ['a placer’s number and a filler’s each', 'application/hl7-v2', numbered('O1', 'P1|F1'), numbered('O1', 'P1|F2')],
    ['the number of the filler alone at first', 'application/hl7-v2', numbered('O2', '|F1'), numbered('O2', 'P2|F2')],
    ['FHIR requests without other numbers', 'application/fhir+json', request('O3', 'r1'), request('O3', 'r2')],
  ])('an exam of two orders, sent by %s, is cancelled when both are', async (_, type, one, other) => {
    const exam = /O[1-3]/.exec(one)![0];
    const statusAfter = async (body: string) => {
      const { errors, items } = succeeded(await send(type, body));
      expect([errors, items.map(({ accession_number }) => accession_number)]).toEqual([[], [exam]]);
      return (await item(items[0]!.id!)).status;
    };
    expect(await statusAfter(one)).toBe('new');
    expect(await statusAfter(other)).toBe('new');
    expect(await statusAfter(cancelled(one).replace('CA||F1', 'CA|P1|F1'))).toBe('new');
    expect(await statusAfter(cancelled(other))).toBe('cancelled');
    expect(await statusAfter(one)).toBe('new');
  });

  test.each(['in the same body', 'later'])(
    'an order that is cancelled by its own number alone, %s, finds its exam',
    async (when) => {
      const number = when === 'later' ? 'N1' : 'N2';
      const alone = order(number, 'CA').replace(`||||||||||${number}|`, '|||||||||||');
      const bodies = when === 'later' ? [order(number), alone] : [`${order(number)}\r${alone}`];
      const results = [];
      for (const body of bodies) results.push(succeeded(await send('application/hl7-v2', body)));
      const [first, second] = results.flatMap(({ items }) => items);
      expect(second).toMatchObject({ id: first!.id, accession_number: number });
      expect((await item(first!.id!)).status).toBe('cancelled');
    },
  );

  test('a cancellation needs worklists:manage; the order in the same message is accepted', async () => {
    const { access_token: token } = await api.tokens({ scopes: ['worklists:write'] });
    succeeded(await send('application/hl7-v2', order('W1'), { token }));
    const both = `${order('W1', 'CA')}\r${order('W2')}`;
    const result = succeeded(await send('application/hl7-v2', both, { token }));
    expect(result).toMatchObject({
      inserted: 1,
      errors: [{ index: 0, accession_number: 'W1', error: 'INSUFFICIENT_SCOPE' }],
    });
  });

  test.each([
    ['application/hl7-v2', '', 400],
    ['application/hl7-v2', 'hello', 400],
    ['application/hl7-v2', '{}', 400],
    ['application/fhir+json', '{', 400],
    ['application/fhir+json', '{"resourceType":"Patient"}', 400],
    ['application/fhir+xml', '<Bundle', 400],
    ['application/dicom', 'x', 415],
  ])('%s %j: %i, and says what is wrong', async (type, body, status) => {
    const answer = await send(type, body);
    expect([answer.status, answer.error.message], answer.text).toEqual([status, expect.stringMatching(/\w/)]);
  });

  test('a change of a patient is refused by name', async () => {
    const body = 'MSH|^~\\&|RIS|HSL|||20260302||ADT^A08|1|P|2.5\rEVN|A08\rPID|1||1||TESTE^ANA';
    const answer = await send('application/hl7-v2', body);
    expect(answer.error.message).toContain('hl7-in');
  });

  test('with an Idempotency-Key nothing is processed twice, and another message is distinguished from it', async () => {
    const headers = { 'idempotency-key': 'hl7-1' };
    const first = await send('application/hl7-v2', order('I1'), { headers });
    expect((await send('application/hl7-v2', order('I1'), { headers })).data).toEqual(first.data);
    expect((await send('application/hl7-v2', order('I2'), { headers })).status).toBe(422);
  });
});

describe('A date-time without a zone', () => {
  test('gets the offset of the zone of the server, with a warning; the same again changes nothing', async () => {
    const sent = examFields({ exam_datetime: '2026-03-02 08:30', accession_number: 'Z1' });
    const [outcome] = (await api.ingest(sent)).items;
    expect(outcome!.warnings).toEqual([
      { code: 'ZONE_ASSUMED', message: 'exam_datetime has no offset; it was taken as America/Sao_Paulo (-03:00).' },
    ]);
    expect((await item(outcome!.id!)).exam_datetime).toBe('2026-03-02T08:30:00-03:00');
    expect(await api.ingest(sent)).toMatchObject({ deduped: 1, items: [{ warnings: [{ code: 'ZONE_ASSUMED' }] }] });
  });

  test.each(['2026-03-02T08:30:00Z', '2026-03-02T08:30:00+05:30', '2026-03-02T08:30:00.5-03:00'])(
    '%s has one, and stays',
    async (exam_datetime) => {
      const [outcome] = (await api.ingest(examFields({ exam_datetime }))).items;
      expect(outcome!.warnings).toBeUndefined();
      expect((await item(outcome!.id!)).exam_datetime).toBe(exam_datetime);
    },
  );
});
