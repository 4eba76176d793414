/** Names that are letters and a number, the same in every language, as they are written. */
import { phraseList } from '../../domain/fold.ts';

/** Each with its own number. */
export const markers: readonly string[] = phraseList(`
  BRCA1, BRCA2, CA 125, CA 15-3, CA 19-9, CA 72-4, CO2, FEV1, HER2, IDH1, IDH2, Ki-67, p16, p40, p53, p63, PaO2, PD-L1, S100, SpO2, VEF1
`);

/** Letters before any number → their joint: CD20, TTF-1. */
export const markerSeries: Readonly<Record<string, string>> = {
  CD: '',
  CK: '',
  SOX: '',
  PAX: '',
  GATA: '',
  TTF: '-',
  HMB: '-',
  BCL: '-',
};
