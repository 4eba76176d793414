/**
 * Reporting systems with categories, the same in every language, and the ways in which recognisers hear their names.
 */

export interface Rads {
  /** As it is written. */
  readonly name: string;
  readonly phrases: string;
  /** The lowest and the highest number of a category. */
  readonly range: readonly [min: number, max: number];
  /** Number → letters that may follow it. */
  readonly letters?: Readonly<Record<string, string>>;
  /** Categories that are letters alone. */
  readonly alone?: string;
  /** Keys of the organs that it is for; absent: it is for several parts of the body. */
  readonly organs?: string;
  /** Written between name and category. */
  readonly joint?: '-';
}

export const rads: readonly Rads[] = [
  {
    name: 'BI-RADS',
    organs: 'breast',
    range: [0, 6],
    phrases: `
      birads, byrads, bi rads, by rads, bye rads, bi-rads, bai rads, bairads, buy rads, birad, bi rad, bi ráds, biráds, bairrads,
      bi hads, b i rads, bi rats, by rats, birats
    `,
    letters: { 4: 'ABC' },
  },
  {
    name: 'PI-RADS',
    organs: 'prostate',
    range: [1, 5],
    phrases: 'pirads, pi rads, pie rads, pi-rads, pai rads, pairads, p i rads, pirad, pi rad, pi rats, pirats',
  },
  {
    name: 'TI-RADS',
    organs: 'thyroid',
    range: [1, 5],
    phrases:
      'tirads, ti rads, tie rads, ti-rads, tai rads, tairads, thai rads, t i rads, tirad, ti rad, ti rats, tirats',
    letters: { 4: 'ABC' },
  },
  {
    name: 'LI-RADS',
    organs: 'liver',
    range: [1, 5],
    phrases: 'lirads, li rads, lie rads, li-rads, lai rads, l i rads, lirad',
    alone: 'M',
  },
  { name: 'LR', range: [1, 5], phrases: 'l r, ele erre, el are', alone: 'M', joint: '-' },
  {
    name: 'Lung-RADS',
    organs: 'lung',
    range: [0, 4],
    phrases: 'lung rads, lungrads, lung-rads, lang rads, langrads, lung rad',
    letters: { 4: 'ABX', 1: 'S', 2: 'S', 3: 'S' },
  },
  { name: 'O-RADS', organs: 'ovary uterus', range: [0, 5], phrases: 'orads, o rads, o-rads, oh rads, ó rads' },
  {
    name: 'CAD-RADS',
    organs: 'heart',
    range: [0, 5],
    phrases: 'cadrads, cad rads, cad-rads, kad rads, cade rads',
    letters: { 4: 'AB' },
    alone: 'N',
  },
  { name: 'NI-RADS', range: [0, 4], phrases: 'nirads, ni rads, ni-rads', letters: { 2: 'AB' } },
  { name: 'VI-RADS', organs: 'bladder', range: [1, 5], phrases: 'virads, vi rads, vi-rads' },
  { name: 'C-RADS', organs: 'bowel', range: [0, 4], phrases: 'crads, c rads, c-rads' },
  { name: 'Node-RADS', range: [1, 5], phrases: 'node rads, noderads, node-rads' },
  { name: 'BT-RADS', organs: 'brain', range: [0, 4], phrases: 'bt rads, bt-rads', letters: { 1: 'AB', 3: 'ABC' } },
];
