/** Words that are used for coded values, in English, Portuguese, Spanish, German and French; compared without accents and case. */
import { normalForm } from '../../domain/normal-form.ts';
import { remembering } from './remembering.ts';

/** Without accents and ordinal signs, in small letters, anything but letters and digits as one space. */
export const plainWords = (text: string): string =>
  normalForm(text, 'NFD')
    .replace(/[\p{M}ºª]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Value of the contract → the words for it. */
const inverted = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(words).flatMap(([value, list]) =>
      list.split(', ').map((word) => [plainWords(word), value] as const),
    ),
  );

const modalities = inverted({
  CT: 'tc, tac, tdm, cta, ctscan, ct scan, cat scan, tomografia, tomografia computadorizada, tomografia computarizada, tomography, computed tomography, computertomographie, tomodensitometrie, scanner',
  MR: 'rm, rmn, rnm, irm, mri, mra, mrt, kernspintomographie, magnetresonanztomographie, imagerie par resonance magnetique, nmr, ressonancia, ressonancia magnetica, resonancia, resonancia magnetica, magnetic resonance',
  CR: 'rx, xr, cxr, xrc, raio x, raios x, rayos x, x ray, xray, radiografia, radiography, radiographie, radiologia convencional, radiologia simple, rontgen, roentgen',
  DX: 'dr, radiografia digital, digital radiography',
  US: 'usg, eco, echographie, sonographie, ultraschall, ecografia, ultrassom, ultrassonografia, ultrasonido, ultrasonografia, ultrasound, rus',
  MG: 'mmg, mx, mamografia, mammography, mammographie',
  NM: 'mn, nms, medicina nuclear, nuclear medicine, cintilografia, gammagrafia',
  PT: 'pet, pet ct, pet tc',
  XA: 'angio, angiografia, angiography, hemodinamica',
  RF: 'fluoroscopia, fluoroscopy, radioscopia',
  BMD: 'densitometria, densitometria ossea, densitometria osea, densitometry, dexa, dxa',
  ES: 'endoscopia, endoscopy',
  ECG: 'ekg, eletrocardiograma, electrocardiograma',
  PX: 'panoramica, panoramic',
});

const sexes = inverted({
  M: 'm, masculino, masc, male, homem, hombre, varon, mannlich, homme, masculin, maschio, man, м, муж, мужской, 男',
  F: 'f, feminino, femenino, fem, female, mulher, mujer, w, weiblich, femme, feminin, femmina, woman, vrouw, ж, жен, женский, 女',
  O: 'o, outro, otro, other, d, divers, diverse, x',
  U: 'u, unknown, desconhecido, desconocido, indeterminado, ignorado, i, nao informado',
});

const priorities = inverted({
  STAT: 'stat, emergencia, emergency, emergente, s',
  HIGH: 'high, alta, urgente, urgencia, urgent, asap',
  ROUTINE: 'routine, rotina, rutina, normal, eletivo, electivo, programado, r',
  MEDIUM: 'medium, media',
  LOW: 'low, baixa, baja',
});

/** Names of departments, which order exams of many modalities. */
const departments = new Set(
  'rad, radiology, radiologia, imaging, imagen, imagem, diagnostic imaging, di, oth, other'.split(', '),
);
/** Whether the text says more than that it is an exam of radiology; a mere number, of a field that was filled by mistake, does not. */
export const isModalityTold = remembering(
  (text: string): boolean => !departments.has(plainWords(text)) && !/^\d+$/.test(text.trim()),
);

/** The DICOM term; a term that is none of the words is left to be judged as it is. */
export const modalityOf = remembering((text: string): string => modalities.get(plainWords(text)) ?? text);

/** The sex by a word; `undefined`: it is none of them. */
export const sexOf = (text: string): string | undefined => sexes.get(plainWords(text));

/** `hombre`: the column has H for men, so that M is a woman (mujer). */
export function parseSex(text: string, { hombre }: { hombre: boolean }): string {
  const word = plainWords(text);
  if (hombre && word === 'm') return 'F';
  return word === 'h' ? 'M' : (sexOf(word) ?? text);
}

export const priorityOf = (text: string): string => priorities.get(plainWords(text)) ?? text;

const ageUnits: Readonly<Record<string, string>> = { a: 'Y', y: 'Y', m: 'M', d: 'D', s: 'W', w: 'W' };

/** `54`, `54 anos`, `3 meses` as DICOM writes ages (VR AS); anything else stays as it is. */
export function parseAge(text: string): string {
  const [, count, unit = 'a'] =
    /^(\d{1,3}) ?(a|anos?|y|years?|yrs?|m|mes|meses|months?|d|dias?|days?|semanas?|weeks?)?$/.exec(plainWords(text)) ??
    [];
  return count === undefined ? text : `${count.padStart(3, '0')}${ageUnits[unit.charAt(0)]}`;
}
