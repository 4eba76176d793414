/**
 * Possible sizes of things: lengths in mm, otherwise in the unit named. Wider than any normal range: only nonsense is
 * outside.
 */

export interface Plausible {
  readonly unit: 'mm' | '%' | 'bpm' | 'mmHg' | 'HU' | 'SUV';
  readonly min: number;
  readonly max: number;
  /** The greatest length, if only the width is small. */
  readonly along?: number;
  /** The organ that must be named in its sentence or the one before, if other things share the name. */
  readonly organ?: string;
  /** Set if the row applies only to the unborn, or only to all others. */
  readonly life?: 'unborn' | 'born';
}

const mm = (min: number, max: number): Plausible => ({ unit: 'mm', min, max });

const born = (min: number, max: number): Plausible => ({ ...mm(min, max), life: 'born' });
const unborn = (min: number, max: number): Plausible => ({ ...mm(min, max), life: 'unborn' });

/** The key is one of the languages' `measured` words, or `finding` for any other. */
export const plausible: Readonly<Record<string, Plausible>> = {
  kidney: born(25, 220),
  liver: born(40, 320),
  spleen: born(25, 320),
  gallbladder_wall: mm(0.5, 19),
  wall_thickness: { ...mm(0.5, 19), organ: 'gallbladder' },
  bile_duct: mm(1, 29),
  portal_vein: born(3, 35),
  aorta: born(8, 140),
  endometrium: mm(0.5, 60),
  ovary: mm(6, 260),
  uterus: mm(15, 300),
  prostate: mm(12, 130),
  appendix: { ...mm(2, 40), along: 250 },
  nodule: mm(0.5, 110),
  pulmonary_nodule: mm(0.5, 40),
  ureter_stone: mm(0.5, 35),
  aortic_aneurysm: mm(20, 200),
  protrusion: mm(0.5, 25),
  biparietal: unborn(8, 120),
  fetal_femur: unborn(2, 90),
  fetal_head: unborn(40, 420),
  fetal_abdomen: unborn(30, 450),
  node: mm(1, 110),
  nuchal: mm(0.3, 9.9),
  intima: mm(0.2, 6),
  midline: mm(0.5, 45),
  septum: born(3, 45),
  heart_wall: { ...born(3, 45), organ: 'heart' },
  atrium: born(10, 130),
  bladder_wall: mm(0.5, 29),
  ejection: { unit: '%', min: 5, max: 95 },
  stenosis: { unit: '%', min: 0, max: 100 },
  heart_rate: { unit: 'bpm', min: 20, max: 320 },
  /** Nothing in a body is larger. */
  finding: mm(0.1, 300),
  attenuation: { unit: 'HU', min: -1100, max: 3500 },
};

/** Units of length in mm. */
export const lengths: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000 };

/** The unit of the table for a written one. */
export const baseUnit: Readonly<Record<string, Plausible['unit']>> = {
  '%': '%',
  bpm: 'bpm',
  lpm: 'bpm',
  HU: 'HU',
  UH: 'HU',
};
