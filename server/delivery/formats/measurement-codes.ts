/** Codes of measurements for receivers that take values: units in UCUM, and what was measured, on which side (PS3.16). */
import { findEntry } from '../../../src/domain/find-entry.ts';
import type { ReportMeasurement, Side } from '../../../src/reporting/report-measurements.ts';

/** A code with the meaning that its system gives. */
export interface Concept {
  readonly system: string;
  readonly code: string;
  readonly meaning: string;
}

const concept = (system: string, code: string, meaning: string): Concept => ({ system, code, meaning });
const sct = (code: string, meaning: string): Concept => concept('SCT', code, meaning);
const ucum = (code: string, meaning: string): Concept => concept('UCUM', code, meaning);

const length = sct('410668003', 'Length');
const area = sct('42798000', 'Area');
const volume = sct('118565006', 'Volume');
const attenuation = concept('DCM', '112031', 'Attenuation Coefficient');

/** Names of the modifiers of a measurement. */
export const findingConcepts = {
  site: sct('363698007', 'Finding Site'),
  side: sct('272741003', 'Laterality'),
} as const;

interface Kind {
  readonly quantity: Concept;
  readonly unit: Concept;
}

/**
 * The quantity of a unit, by its symbol in reports, in the units that PS3.16 allows for it: CID 7460 to 7462. Other units say too
 * little about what was measured, and stay in the text.
 */
const kinds: Readonly<Record<string, Kind>> = {
  mm: { quantity: length, unit: ucum('mm', 'millimeter') },
  cm: { quantity: length, unit: ucum('cm', 'centimeter') },
  µm: { quantity: length, unit: ucum('um', 'micrometer') },
  'mm²': { quantity: area, unit: ucum('mm2', 'square millimeter') },
  'cm²': { quantity: area, unit: ucum('cm2', 'square centimeter') },
  'mm³': { quantity: volume, unit: ucum('mm3', 'cubic millimeter') },
  'cm³': { quantity: volume, unit: ucum('cm3', 'cubic centimeter') },
  // A millilitre is a cubic centimetre.
  mL: { quantity: volume, unit: ucum('cm3', 'cubic centimeter') },
  cc: { quantity: volume, unit: ucum('cm3', 'cubic centimeter') },
  L: { quantity: volume, unit: ucum('dm3', 'cubic decimeter') },
  HU: { quantity: attenuation, unit: ucum("[hnsf'U]", 'Hounsfield unit') },
  UH: { quantity: attenuation, unit: ucum("[hnsf'U]", 'Hounsfield unit') },
};

const percent = ucum('%', 'percent');
const perMinute = ucum('{beats}/min', 'beats per minute');

/** Quantities whose unit alone does not say what they are, by the noun that they measure. */
const namedKinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  ejection: { '%': { quantity: sct('70822001', 'Cardiac ejection fraction'), unit: percent } },
  heart_rate: {
    bpm: { quantity: concept('LN', '8867-4', 'Heart rate'), unit: perMinute },
    lpm: { quantity: concept('LN', '8867-4', 'Heart rate'), unit: perMinute },
  },
};

/** Where a measurement was taken, by the noun that it measures. */
const sites: Readonly<Record<string, Concept>> = {
  kidney: sct('64033007', 'Kidney'),
  pulmonary_nodule: sct('39607008', 'Lung'),
  liver: sct('10200004', 'Liver'),
  spleen: sct('78961009', 'Spleen'),
  gallbladder_wall: sct('28231008', 'Gallbladder'),
  bile_duct: sct('79741001', 'Common bile duct'),
  portal_vein: sct('32764006', 'Portal vein'),
  aorta: sct('15825003', 'Aorta'),
  aortic_aneurysm: sct('15825003', 'Aorta'),
  endometrium: sct('2739003', 'Endometrium'),
  ovary: sct('15497006', 'Ovary'),
  uterus: sct('35039007', 'Uterus'),
  prostate: sct('41216001', 'Prostate'),
  appendix: sct('66754008', 'Appendix'),
  node: sct('59441001', 'Lymph Node'),
  atrium: sct('59652004', 'Atrium'),
  ureter_stone: sct('87953007', 'Ureter'),
};

/** The finding that a noun names. */
const findings: Readonly<Record<string, Concept>> = {
  nodule: sct('27925004', 'Nodule'),
  pulmonary_nodule: sct('27925004', 'Nodule'),
  ureter_stone: sct('56381008', 'Calculus'),
  aortic_aneurysm: sct('85659009', 'Aneurysm'),
};

/** PS3.16 CID 244. */
const sides: Readonly<Record<Side, Concept>> = {
  right: sct('24028007', 'Right'),
  left: sct('7771000', 'Left'),
  both: sct('51440002', 'Bilateral'),
};

export interface CodedMeasurement {
  readonly values: readonly string[];
  readonly quantity: Concept;
  readonly unit: Concept;
  readonly site?: Concept;
  readonly finding?: Concept;
  readonly side?: Concept;
}

/** `undefined`: its unit does not say what it measures, or a value is longer than the 16 characters of DICOM. */
export function codeMeasurement({ values, unit, side, measured }: ReportMeasurement): CodedMeasurement | undefined {
  const kind = findEntry(findEntry(namedKinds, measured ?? '') ?? kinds, unit);
  if (!kind || values.some((value) => value.length > 16)) return undefined;
  return { values, ...kind, ...codePlace({ side, measured }) };
}

/** Where something was measured, and what it is, so far as the sentence says so. */
export function codePlace({
  side,
  measured = '',
}: {
  readonly side: Side | undefined;
  readonly measured: string | undefined;
}): Pick<CodedMeasurement, 'site' | 'finding' | 'side'> {
  const [site, finding] = [findEntry(sites, measured), findEntry(findings, measured)];
  return {
    ...(site && { site }),
    ...(finding && { finding }),
    ...(side !== undefined && { side: sides[side] }),
  };
}

/** The quantity that a unit names, and its code; `undefined`: unknown. */
export const codeUnit = (unit: string): Kind | undefined => findEntry(kinds, unit);
