/** Codes of section keys: LOINC document sections, DICOM (PS3.16 CID 7001) if there is no LOINC code. */
import type { SectionCode } from '../../contract/template.ts';

export const sectionCodes: Readonly<Record<string, SectionCode>> = {
  indication: { code: '18785-6', system: 'LN' },
  history: { code: '121060', system: 'DCM' },
  technique: { code: '55111-9', system: 'LN' },
  comparison: { code: '18834-2', system: 'LN' },
  measurements: { code: '18782-3', system: 'LN' },
  findings: { code: '59776-5', system: 'LN' },
  examination: { code: '29545-1', system: 'LN' },
  impression: { code: '19005-8', system: 'LN' },
  conclusion: { code: '121076', system: 'DCM' },
  diagnosis: { code: '29308-4', system: 'LN' },
  plan: { code: '18776-5', system: 'LN' },
  recommendations: { code: '18783-1', system: 'LN' },
  communication: { code: '73568-7', system: 'LN' },
};

/** LOINC: radiology report. */
export const reportCode = '11528-7';

/** Sections that hold the conclusion. */
export const concludingKeys: readonly string[] = ['impression', 'conclusion', 'diagnosis'];
