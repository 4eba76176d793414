/** Sizes by two or three axes: mean diameter, volume of an ellipsoid, and growth since a prior measurement. */
import type { Language } from '../../contract/shared.ts';

export interface SizeMeasurement {
  /** Two or three axes, in mm. */
  readonly axes: readonly number[];
}

export interface Prior extends SizeMeasurement {
  /** Days from the prior measurement to the present one. */
  readonly days: number;
}

export const meanDiameter = ({ axes }: SizeMeasurement): number =>
  axes.reduce((sum, axis) => sum + axis, 0) / axes.length;

/** In mL: π/6 · a · b · c, of three axes in mm. */
export const computeVolume = ({ axes }: SizeMeasurement): number | undefined =>
  axes.length === 3 ? (Math.PI / 6) * axes.reduce((product, axis) => product * axis, 1) * 0.001 : undefined;

export interface Growth {
  /** Ratio of the volumes if both have three axes, otherwise of the mean diameters; 0.5 is an increase by half. */
  readonly ratio: number;
  readonly of: 'volume' | 'diameter';
  /** Days in which the volume doubles at this rate; `undefined` if it does not grow. */
  readonly doublingDays?: number;
}

export function computeGrowth(now: SizeMeasurement, prior: Prior): Growth {
  const [volume, before] = [computeVolume(now), computeVolume(prior)];
  const isVolume = volume !== undefined && before !== undefined;
  const ratio = isVolume ? volume / before : meanDiameter(now) / meanDiameter(prior);
  // A volume grows with the third power of its diameter.
  const volumeRatio = isVolume ? ratio : ratio ** 3;
  const doublingDays = (prior.days * Math.LN2) / Math.log(volumeRatio);
  return {
    ratio: ratio - 1,
    of: isVolume ? 'volume' : 'diameter',
    ...(prior.days > 0 && volumeRatio > 1 && { doublingDays }),
  };
}

const words = {
  'pt-BR': {
    volume: 'volume',
    mean: 'diâmetro médio',
    before: 'antes',
    more: { volume: 'aumento de volume de', diameter: 'aumento do diâmetro médio de' },
    less: { volume: 'redução de volume de', diameter: 'redução do diâmetro médio de' },
    same: 'sem mudança',
    in: 'em',
    days: 'dias',
    doubling: 'tempo de duplicação de',
  },
  'en-US': {
    volume: 'volume',
    mean: 'mean diameter',
    before: 'previously',
    more: { volume: 'volume up by', diameter: 'mean diameter up by' },
    less: { volume: 'volume down by', diameter: 'mean diameter down by' },
    same: 'unchanged',
    in: 'in',
    days: 'days',
    doubling: 'doubling time',
  },
  'es-ES': {
    volume: 'volumen',
    mean: 'diámetro medio',
    before: 'antes',
    more: { volume: 'aumento de volumen de', diameter: 'aumento del diámetro medio de' },
    less: { volume: 'reducción de volumen de', diameter: 'reducción del diámetro medio de' },
    same: 'sin cambios',
    in: 'en',
    days: 'días',
    doubling: 'tiempo de duplicación de',
  },
} as const satisfies Record<Language, unknown>;

/** `12 x 9 x 8 mm (volume 0,45 mL); antes 10 x 8 x 7 mm, aumento de volume de 54% em 180 dias, tempo de duplicação de 288 dias`. */
export function measurementLine(now: SizeMeasurement, prior: Prior | undefined, language: Language): string {
  const word = words[language];
  const figure = (value: number, maxDigits: number): string =>
    value.toLocaleString(language, { maximumFractionDigits: maxDigits, useGrouping: false });
  const size = ({ axes }: SizeMeasurement): string => `${axes.map((axis) => figure(axis, 1)).join(' x ')} mm`;
  const volume = computeVolume(now);
  const description =
    volume === undefined ? `${word.mean} ${figure(meanDiameter(now), 1)} mm` : `${word.volume} ${figure(volume, 2)} mL`;
  const present = `${size(now)} (${description})`;
  if (!prior) return `${present}.`;
  const { ratio, of, doublingDays } = computeGrowth(now, prior);
  const percent = Math.round(Math.abs(ratio) * 100);
  const change = percent === 0 ? word.same : `${(ratio > 0 ? word.more : word.less)[of]} ${percent}%`;
  const time = prior.days > 0 ? ` ${word.in} ${figure(prior.days, 0)} ${word.days}` : '';
  const doubling =
    doublingDays === undefined || percent === 0 ? '' : `, ${word.doubling} ${figure(doublingDays, 0)} ${word.days}`;
  return `${present}; ${word.before} ${size(prior)}, ${change}${time}${doubling}.`;
}
