import { expect, test } from 'vitest';
import { findImages, findViewerFault, isViewerAddress } from '../../src/domain/viewer-address.ts';
import * as fc from '../support/properties.ts';

const ohif = { hospital: null, address: 'https://pacs.example/viewer?StudyInstanceUIDs={study_uid}' };
const weasis = { hospital: 'Hospital São Lucas', address: 'weasis://open?acc={accession}&x=1' };
const exam = { study_uid: '1.2.3', accession_number: 'SL 1&2', hospital_name: 'Clínica' };

test.each([
  [exam, 'https://pacs.example/viewer?StudyInstanceUIDs=1.2.3'],
  [{ ...exam, hospital_name: 'hospital sao lucas ' }, 'weasis://open?acc=SL%201%262&x=1'],
  [{ ...exam, study_uid: null }, undefined],
  [{ ...exam, hospital_name: 'Hospital São Lucas', accession_number: null }, undefined],
])('%o → %s', (item, address) => {
  expect(findImages([weasis, ohif], item)).toBe(address);
});

test.each([
  ['https://pacs.example/{study_uid}', undefined],
  ['weasis://{accession}', undefined],
  ['javascript:alert("{accession}")', 'scheme'],
  ['JavaScript:x{accession}', 'scheme'],
  ['file:///{accession}', 'scheme'],
  ['/viewer/{accession}', 'scheme'],
  ['https://pacs.example/ {accession}', 'scheme'],
  ['https://pacs.example/{patient_name}', 'field'],
  ['https://pacs.example/viewer', 'no_field'],
])('the address %s: %s', (address, fault) => {
  expect(findViewerFault(address)).toBe(fault);
});

test('only addresses of the viewer itself leave the app', () => {
  expect(isViewerAddress(ohif, 'https://pacs.example.evil/viewer?StudyInstanceUIDs=1')).toBe(false);
  expect(isViewerAddress(ohif, 'https://pacs.example/viewer?StudyInstanceUIDs=1&redirect=https://evil')).toBe(false);
  expect(isViewerAddress(weasis, 'weasis://open?acc=1')).toBe(false);
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (accession_number) => {
      const item = { ...exam, accession_number, hospital_name: weasis.hospital };
      expect(isViewerAddress(weasis, findImages([weasis], item) ?? '')).toBe(true);
    }),
  );
});
