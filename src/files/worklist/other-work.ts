/** Orders of what is no exam, which hospitals send through the same interfaces: laboratory, pharmacy, kitchen, stores. */
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { wordPattern } from './procedure-words.ts';
import { plainWords } from './coded-words.ts';
import { problem } from './reading.ts';
import type { Position, Problem } from './reading.ts';

/** Departments of a laboratory (HL7 table 0074), as OBR-24 and categories of FHIR name them. */
const laboratories: ReadonlySet<unknown> = new Set('BG BLB CG CH HM IMM LAB MB MCB MYC OSL PAR SP TX VR'.split(' '));
export const isLaboratory = (department: unknown): department is string => laboratories.has(department);

/** Beginnings of words in the names of laboratory tests; those of up to four letters are whole words. */
const tests = wordPattern(
  'cbc, cmp, bmp, tsh, psa, inr, hba1c, blood count, blood culture, blood gas, blood typ, blood glucose, hemogram, haemogram, hemoglobin, haemoglobin, hamoglobin, hematocrit, haematocrit, hematokrit, metabolic panel, lipid panel, lipid profile, perfil lipid, lipidogram, glucose, glicose, glicemia, glucemia, glukose, potassium, potassio, potasio, kalium, sodium, sodio, natrium, creatinin, kreatinin, urinalysis, urine, urocultur, urocultivo, urina, orina, coprocult, hemocult, coagul, prothrombin, protrombin, antibod, anticuerpo, anticorpo, antikorper, serolog, troponin, cholesterol, colesterol, triglycerid, triglicerid, bilirubin, ferritin, blutbild, blutgas, blutkultur',
);

/** Whether a procedure is a test on blood, urine and the like, by its name; asked only if the name implies no modality. */
export const isLaboratoryTest = (description: unknown): boolean =>
  typeof description === 'string' && tests.test(plainWords(description));

/** `example`: the mapping with which it is an exam all the same. */
const keptOut = (example: string): Message => fileMessage('no_laboratory', { example });
const preset = keptOut('{"defaults": {"modality": "…"}}');

export const specimenOrder = (position: Position): Problem =>
  problem(position, fileMessage('specimen'), preset, { place: 'SPM', isForeign: true });

/** `department`: the code at the place, if it is the code of a department. */
export function laboratoryOrder(position: Position, place: string, department?: string): Problem {
  const named = department === undefined ? place : `${place} ${department}`;
  const hint = department === undefined ? preset : keptOut(`{"values": {"modality": {"${department}": "…"}}}`);
  return problem(position, fileMessage('laboratory', { place: named }), hint, {
    place,
    isForeign: true,
    fault: 'value',
  });
}

/** Segments in which HL7 orders medicines, meals, supplies and blood, in the place of OBR (v2.5.1 chapter 4). */
export const otherDetails = ['RXO', 'RXE', 'ODS', 'ODT', 'RQD', 'BPO'] as const;

export const otherOrder = (position: Position, segment: string): Problem =>
  problem(position, fileMessage('other_order', { segment }), fileMessage('no_other_order'), {
    place: segment,
    isForeign: true,
  });
