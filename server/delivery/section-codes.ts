/** Codes of section keys: LOINC document sections, DICOM (PS3.16 CID 7001) where LOINC is not used. */
export interface SectionCode {
  readonly code: string;
  /** HL7 table 0396: LN LOINC, DCM DICOM. */
  readonly system: 'LN' | 'DCM';
}

export const sectionCodes: Readonly<Record<string, SectionCode>> = {
  findings: { code: '59776-5', system: 'LN' },
  impression: { code: '19005-8', system: 'LN' },
  conclusion: { code: '121076', system: 'DCM' },
  history: { code: '121060', system: 'DCM' },
};

/** LOINC: radiology report. */
export const reportCode = '11528-7';

/** Sections that hold what was concluded. */
export const concludingKeys: readonly string[] = ['impression', 'conclusion', 'diagnosis'];
