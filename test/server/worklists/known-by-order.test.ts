/** Orders that are changed or cancelled under other numbers than those of their exam, as HL7 at the ingest. */
import { expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';

const api = await startApi({ timeZone: 'America/Sao_Paulo' });
const { ingest, list } = contract.worklists.endpoints;

interface Told {
  readonly number?: string;
  readonly accession?: string;
  readonly patient: string;
}
const message = (control: string, description: string, { number = '', accession = '', patient }: Told): string =>
  [
    `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000-0300||ORM^O01^ORM_O01|1|P|2.5.1`,
    `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`,
    `ORC|${control}||${number}||||^^^20260302093000`,
    `OBR|1||${number}|CT^${description}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
  ].join('\r');
const send = async (...told: Parameters<typeof message>) =>
  api.call(ingest, { body: message(...told), headers: { 'content-type': 'application/hl7-v2' } });
const examOf = async (accession: string) =>
  succeeded(await api.call(list, { query: { accession_number: accession } })).items[0];

test('by the number of the order alone it is found, and no other exam is made', async () => {
  const patient = 'K1';
  succeeded(await send('NW', 'TC', { number: 'KF1', accession: 'H-80', patient }));
  succeeded(await send('NW', 'TC', { number: 'KF2', accession: 'H-81', patient }));
  succeeded(await send('XO', 'TC 2', { number: 'KF1', patient }));
  expect(await examOf('H-80')).toMatchObject({ exam_description: 'TC 2', status: 'new' });
  succeeded(await send('CA', 'TC 2', { number: 'KF1', patient }));
  expect([(await examOf('H-80'))!.status, (await examOf('H-81'))!.status]).toEqual(['cancelled', 'new']);
  expect(await examOf('KF1')).toBeUndefined();
});

test('by the number of another patient’s order it is not found', async () => {
  succeeded(await send('NW', 'TC', { number: 'KF5', accession: 'H-85', patient: 'K5' }));
  await send('CA', 'TC', { number: 'KF5', patient: 'K6' });
  expect((await examOf('H-85'))!.status).toBe('new');
});

test('by a number that two exams of the patient have it is not found', async () => {
  for (const accession of ['H-86', 'H-88']) {
    succeeded(await send('NW', 'TC', { number: 'KF6', accession, patient: 'K7' }));
  }
  await send('CA', 'TC', { number: 'KF6', patient: 'K7' });
  expect([(await examOf('H-86'))!.status, (await examOf('H-88'))!.status]).toEqual(['new', 'new']);
});

test('by an accession number without its issuer it is found where that is one exam', async () => {
  succeeded(await send('NW', 'TC', { number: 'KF7', accession: 'H-87^HSL', patient: 'K8' }));
  succeeded(await send('CA', 'TC', { number: 'KF7', accession: 'H-87', patient: 'K8' }));
  expect(await examOf('H-87')).toMatchObject({ status: 'cancelled', accession_issuer: 'HSL' });
});

test('an order that is placed under its own number is an exam of its own', async () => {
  succeeded(await send('NW', 'TC', { number: 'KF9', accession: 'H-89', patient: 'K9' }));
  succeeded(await send('NW', 'TC', { number: 'KF9', patient: 'K9' }));
  expect((await examOf('KF9'))!.status).toBe('new');
});
