import { describe, expect, test } from 'vitest';
import { isTestPatientName, containsTestPatientName, testPatientNames } from '../../src/domain/test-data.ts';

describe('names of test patients (specification, section 1)', () => {
  test.each([
    ...testPatientNames,
    'TEST PATIENT',
    'test  patient',
    'PATIENT^TEST',
    'TEST^PATIENT',
    'TESTE^PACIENTE',
    'Paciente Anonimo',
    'ANÔNIMO^PACIENTE',
    'Anônimo^Paciente^^^',
    'PATIENT^DEMO=Patient^Demo',
  ])('%j is one', (name) => {
    expect(isTestPatientName(name)).toBe(true);
  });

  test.each([
    '',
    '^',
    '=',
    'Test',
    'Patient',
    'Test Patientson',
    'Test Patient Silva',
    'My Test Patient',
    'PATIENT^TEST^MARIA',
    'PATIENT^TEST=SILVA^MARIA',
    'TestPatient',
    'Maria Silva',
  ])('%j is none', (name) => {
    expect(isTestPatientName(name)).toBe(false);
  });
});

describe('texts that contain the name of a test patient', () => {
  test.each([
    'Test Patient',
    'Test Patient. Chest CT without contrast.',
    '  test patient, 54 years',
    "Test Patient's chest",
    'PACIENTE TESTE: tórax',
    'Paciente Anônimo – tórax',
    'TESTE^PACIENTE. Tórax sem alterações.',
    'Test\nPatient\nFindings',
    'Test Patient - chest',
    'The Test Patient has a cough',
    'Chest CT without contrast.\n\nName:\ttest \n patient.',
    'Tórax (PACIENTE TESTE), sem alterações.',
    'TESTE^PACIENTE^MARIA, sent again as TESTE ^ PACIENTE',
    `${'Findings: none. '.repeat(50)}Sample Patient`,
  ])('%j does', (text) => {
    expect(containsTestPatientName(text)).toBe(true);
  });

  test.each([
    '',
    'Test Patientson has a cough',
    'Test Patient-Smith has a cough',
    'Test Patient_1',
    'Test Patientä',
    'TESTE^PACIENTE^MARIA',
    'Test Patient^Maria',
    'Contest Patient has a cough',
    'Chest CT of Smith-Test Patient',
    'MARIA^TEST PATIENT',
    'MARIA^ TEST PATIENT',
    'MARIA^TESTE^PACIENTE',
    'Test. Patient',
  ])('%j does not', (text) => {
    expect(containsTestPatientName(text)).toBe(false);
  });
});
