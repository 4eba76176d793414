/**
 * Units that every language writes alike. Their spoken names, and the units of single languages, are in the languages'
 * numbers.ts.
 */

export interface WrittenUnit {
  /** Written forms of the unit, in lower case, separated by commas. */
  readonly written?: string;
  /** No space between figure and unit (`62%`, `30°`). */
  readonly isTight?: true;
  /** The measured quantity; a pair of lengths is a size, never a pressure. */
  readonly of?: 'length' | 'time' | 'count';
}

/** The key is the symbol. */
export const writtenUnits = {
  mm: { written: 'mm', of: 'length' },
  cm: { written: 'cm, cms', of: 'length' },
  m: { written: 'm', of: 'length' },
  µm: { written: 'µm, μm', of: 'length' },
  'mm²': { written: 'mm2, mm²' },
  'cm²': { written: 'cm2, cm²' },
  'm²': { written: 'm2, m²' },
  'mm³': { written: 'mm3, mm³' },
  'cm³': { written: 'cm3, cm³' },
  mL: { written: 'ml' },
  dL: { written: 'dl' },
  L: { written: 'l' },
  g: { written: 'g' },
  kg: { written: 'kg' },
  mg: { written: 'mg' },
  mcg: { written: 'mcg, µg, μg' },
  ng: { written: 'ng' },
  pg: { written: 'pg' },
  mmol: { written: 'mmol' },
  nmol: { written: 'nmol' },
  mEq: { written: 'meq' },
  mmHg: { written: 'mmhg' },
  ms: { written: 'ms' },
  '%': { isTight: true },
  '°C': {},
  '°': { isTight: true },
  kVp: { written: 'kvp, k v p' },
  kV: { written: 'kv' },
  mAs: { written: 'm a s' },
  mA: {},
  mGy·cm: {},
  'Gy·cm²': {},
  mGy: { written: 'mgy' },
  cGy: { written: 'cgy' },
  Gy: { written: 'gy' },
  mSv: { written: 'msv' },
  mCi: { written: 'mci' },
  MBq: { written: 'mbq' },
  kBq: { written: 'kbq' },
  GBq: { written: 'gbq' },
  MHz: { written: 'mhz' },
  kHz: { written: 'khz' },
  Hz: { written: 'hz' },
  kPa: { written: 'kpa' },
  T: {},
  dB: { written: 'db' },
  mV: { written: 'mv' },
  cmH2O: { written: 'cmh2o' },
  METs: { written: 'mets, met' },
  MoM: { written: 'mom, moms' },
} as const satisfies Readonly<Record<string, WrittenUnit>>;

export type KnownUnit = keyof typeof writtenUnits;

/** Written units after "per" → symbol. */
export const writtenDenominators: Readonly<Record<string, string>> = {
  s: 's',
  min: 'min',
  m: 'm',
  m2: 'm²',
  cm2: 'cm²',
  cm3: 'cm³',
  dl: 'dL',
  ml: 'mL',
  l: 'L',
  kg: 'kg',
  mm3: 'mm³',
};
