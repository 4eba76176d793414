/** Exams and measurements as applications of a hub write them. */
import { expect, test } from 'vitest';
import { findLinkedExams } from '../../../src/domain/exam-link.ts';
import { conforms } from '../../../src/client/conforms.ts';
import { Measurement } from '../../../src/contract/measurement.ts';
import { buildExamContext, readExamLink } from '../../../src/protocols/fhircast/exam-context.ts';
import { readMeasurements, readSelection } from '../../../src/protocols/fhircast/measurements.ts';
import { readSyncError } from '../../../src/protocols/fhircast/sync-error.ts';
import { nameReport } from '../../../src/protocols/fhircast/topic.ts';
import { measurementText } from '../../../src/reporting/measurement-text.ts';
import * as fc from '../../support/properties.ts';
import { storedItem } from '../../support/stored-item.ts';

const number = fc.stringMatching(/^[A-Za-z0-9.-]{1,20}$/);

test('an exam that goes out is found again by what comes back, and names nobody', () => {
  fc.assert(
    fc.property(number, fc.option(number), fc.option(number), (patient, accession, uid) => {
      const item = storedItem('wli_1', {
        patient_id: patient,
        accession_number: accession,
        study_uid: uid,
        metadata: { patient_id_issuer: 'HSL' },
      });
      const context = buildExamContext(item);
      const link = readExamLink({ context });
      expect(link && findLinkedExams([item], link)).toEqual({ kind: 'one', item });
      expect(JSON.stringify(context)).not.toContain(item.display_name);
    }),
  );
});

/** An OperationOutcome, in which lists may be missing and values are anything. */
const outcome = fc.record({
  resourceType: fc.constant('OperationOutcome'),
  issue: maybeListed(
    fc.record({
      diagnostics: fc.jsonValue(),
      details: maybeListed(
        fc.record({ coding: maybeListed(fc.record({ system: fc.jsonValue(), code: fc.jsonValue() })) }),
      ),
    }),
  ),
});
function maybeListed(element: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(element, fc.array(element, { maxLength: 2 }), fc.jsonValue());
}

test('whatever an application sends, no part of it is taken that is none, and nothing is thrown', () => {
  const part = fc.record({
    key: fc.constantFrom('study', 'report', 'patient', 'updates', 'select', 'operationoutcome'),
    resource: fc.oneof(fc.jsonValue(), outcome),
    reference: fc.oneof(fc.jsonValue(), fc.record({ reference: fc.jsonValue() })),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const context = parts as never;
      readExamLink({ context });
      readSelection({ context });
      nameReport({ context });
      readSyncError({ context });
      for (const { measurement } of readMeasurements({ context }))
        if (measurement) expect(conforms(Measurement, measurement)).toBe(true);
    }),
  );
});

test.each([
  ['one value', { valueQuantity: { value: 12.44, unit: 'mm' } }, '12,4 mm'],
  [
    'two axes',
    { component: [{ valueQuantity: { value: 12, unit: 'mm' } }, { valueQuantity: { value: 8.5, code: 'mm' } }] },
    '12 x 8,5 mm',
  ],
  [
    'several units',
    { component: [{ valueQuantity: { value: 3, unit: 'cm' } }, { valueQuantity: { value: 40, unit: 'HU' } }] },
    '3 cm, 40 HU',
  ],
  ['a small value', { valueQuantity: { value: 0.0012, unit: 'mm2/s' } }, '0,0012 mm2/s'],
  [
    'axes of which one is small',
    { component: [{ valueQuantity: { value: 1.25, unit: 'cm' } }, { valueQuantity: { value: 0.04, unit: 'cm' } }] },
    '1,25 x 0,04 cm',
  ],
  [
    'values that are no axes',
    {
      component: [
        { code: { text: 'Mean' }, valueQuantity: { value: 35, unit: 'HU' } },
        { code: { text: 'SD' }, valueQuantity: { value: 12, unit: 'HU' } },
      ],
    },
    'Mean 35 HU, SD 12 HU',
  ],
  [
    'lengths of several things',
    {
      valueQuantity: { value: 12, unit: 'mm' },
      component: [{ code: { text: 'Perimeter' }, valueQuantity: { value: 37.6, unit: 'mm' } }],
    },
    '12 mm, Perimeter 37,6 mm',
  ],
])('%s in the words of a report', (_which, values, text) => {
  const resource = { resourceType: 'Observation', id: 'o1', status: 'preliminary', ...values };
  const context = [
    { key: 'updates', resource: { resourceType: 'Bundle', entry: [{ request: { method: 'PUT' }, resource }] } },
  ];
  const [found] = readMeasurements({ context });
  expect(measurementText(found!.measurement!, 'pt-BR')).toBe(text);
});

test('a measurement keeps where it was made, on which image, and what tracks it', () => {
  const coded = (code: string) => ({ system: 'http://snomed.info/sct', code });
  const sopClass = { system: 'urn:ietf:rfc:3986', code: 'urn:oid:1.2.840.10008.5.1.4.1.1.2' };
  const selection = {
    resourceType: 'ImagingSelection',
    id: 's1',
    seriesUid: '1.2.3',
    instance: [{ uid: 'urn:oid:1.2.3.7', sopClass }],
  };
  const resource = {
    resourceType: 'Observation',
    id: 'o1',
    identifier: [{ value: 'm-1' }, { system: 'urn:dicom:uid', value: 'urn:oid:1.2.3.9' }],
    bodySite: { coding: [coded('64033007')] },
    derivedFrom: [{ reference: 'ImagingSelection/s1' }],
    component: [{ code: { coding: [coded('103339001')] }, valueQuantity: { value: 12, unit: 'mm' } }],
  };
  const entry = [{ resource: selection }, { request: { method: 'PUT' }, resource }];
  const [found] = readMeasurements({ context: [{ key: 'updates', resource: { resourceType: 'Bundle', entry } }] });
  expect(found!.measurement).toEqual({
    id: 'o1',
    sites: [coded('64033007')],
    tracking_uid: '1.2.3.9',
    values: [{ value: 12, unit: 'mm', codes: [coded('103339001')] }],
    series_uid: '1.2.3',
    instance_uid: '1.2.3.7',
    class_uid: '1.2.840.10008.5.1.4.1.1.2',
  });
});

test('no value becomes another fact, whatever its size and the language of the report', () => {
  const value = fc
    .double({ min: -1e6, max: 1e6, noNaN: true })
    .chain((base) => fc.integer({ min: -8, max: 0 }).map((power) => base * 10 ** power));
  fc.assert(
    fc.property(value, fc.constantFrom('en-US', 'pt-BR', 'es-ES'), (measured, language) => {
      const mark = language === 'en-US' ? '.' : ',';
      const text = measurementText({ values: [{ value: measured, unit: 'HU' }] }, language);
      const read = Number(text.replace(/ HU$/, '').replace(mark, '.'));
      expect(Math.abs(read - measured)).toBeLessThanOrEqual(Math.min(0.05, Math.abs(measured) / 200) * (1 + 1e-9));
    }),
  );
});

test('a measurement that was deleted, or entered in error, is none any more', () => {
  const entry = [
    { request: { method: 'DELETE', url: 'Observation/o1' } },
    {
      request: { method: 'PUT' },
      resource: {
        resourceType: 'Observation',
        id: 'o2',
        status: 'entered-in-error',
        valueQuantity: { value: 1, unit: 'mm' },
      },
    },
  ];
  const context = [{ key: 'updates', resource: { resourceType: 'Bundle', entry } }];
  expect(readMeasurements({ context })).toEqual([
    { id: 'o1', measurement: null },
    { id: 'o2', measurement: null },
  ]);
});

test('who did not follow is read with lists and without them', () => {
  const named = (name: string, code: string) => ({ system: `https://fhircast.hl7.org/events/syncerror/${name}`, code });
  const coding = [named('eventname', 'ImagingStudy-open'), named('subscriber', 'Viewer')];
  const issue = { diagnostics: 'Viewer: offline.', details: { coding } };
  const read = (each: unknown) =>
    readSyncError({
      context: [{ key: 'operationoutcome', resource: { resourceType: 'OperationOutcome', issue: each } }],
    });
  const failure = { subscriber: 'Viewer', eventName: 'ImagingStudy-open', reason: 'Viewer: offline.' };
  expect(read([issue])).toEqual(failure);
  expect(read(issue)).toEqual(failure);
  expect(read({ ...issue, details: { coding: coding[1] } })).toEqual({ ...failure, eventName: '' });
  expect(read([])).toBeUndefined();
});
