/** Recognises the modality in the name of a procedure, in English, Portuguese, Spanish, German, French and Russian, and some of others. */
import { fileMessage } from '../../contract/messages/files.ts';
import { findEntry } from '../../domain/find-entry.ts';
import { plainWords } from './coded-words.ts';
import type { Draft } from './draft.ts';

/** Beginnings of words; those of up to four letters are whole words. */
const words: Readonly<Record<string, string>> = {
  PT: 'pet, positron',
  CT: 'ct, cta, tc, tac, tdm, tomograf, tomodensitometr, angiotomograf, кт, мскт, компьютерная томограф, angiotc, uroct, computertomograf, computertomograph, computed tomograph, scanner, ctscan, cat scan',
  MR: 'mr, mri, mra, mrt, mrcp, rm, rmn, rnm, irm, nmr, ressonanc, resonanc, magnetic reson, angiorresson, angioreson, angiorm, colangiorm, magnetreson, kernspin, resonance magnet, risonanz, rezonans, мрт, магнитно резонанс',
  US: 'us, usg, ultrassom, ultrasso, ultrason, ultrasound, ultraschall, ecograf, echograph, sono, sonogra, doppler, ecocardio, echocardio, ecodoppler, ultraljud, ultralyd, узи, ультразвук',
  CR: 'rx, xr, xray, cxr, x ray, x rays, raio x, raios x, rayos x, radiograf, radiograph, rontgen, roentgen, teleradiograf, abreugraf, rtg, рентген, флюорограф',
  MG: 'mg, mmg, mamograf, mammogra, mammograf, маммограф',
  NM: 'nm, cintilograf, cintigraf, gammagraf, gamagraf, szintigra, scintigra, spect, nuclear medicine, medicina nuclear',
  RF: 'fluoroscop, radioscop, esofagograma, barium',
  BMD: 'densitometr, dexa, dxa, osteodensitometr',
  XA: 'angiograf, angiograph, arteriograf, arteriograph, flebograf, phlebograph',
};

const isWhole = (word: string): boolean => word.length <= 4 || word.includes(' ');
/** Finds any of the words in a text of plain words. */
export const wordPattern = (list: string): RegExp =>
  new RegExp(
    `(?:^| )(?:${list
      .split(', ')
      .map((word) => (isWhole(word) ? `${word}(?= |$)` : word))
      .join('|')})`,
  );
const patterns = Object.entries(words).map(([modality, list]) => [modality, wordPattern(list)] as const);

/** Projections of an X-ray that isn't named: `CHEST 2 VIEWS`, `THORAX AP/LAT`. */
const projections =
  /(?:^| )(?:(?:[1-6]|one|two|three) (?:views?|vw)|(?:ap|pa) (?:and |e |y |et |und )?lat(?:eral)?|in [1-3] ebenen)(?= |$)/;
const isBreast = wordPattern('breast, mama, mamas, brust, sein');

/** `undefined` where the words tell none, or several of which it could be either. */
function modalityInWords(description: string): string | undefined {
  // At the beginning it is short for an ultrasound; later it may be the gradient echo of an MR.
  const plain = plainWords(description).replace(/^ech?o(?= )/, 'ecografia');
  const found = patterns.filter(([, pattern]) => pattern.test(plain)).map(([modality]) => modality);
  if (found.length === 0) return projections.test(plain) && !isBreast.test(plain) ? 'CR' : undefined;
  // A PET is taken together with a CT or an MR.
  return found.length === 1 || found[0] === 'PT' ? found[0] : undefined;
}

/** The modality by words for an X-ray, by the one of departments that only make digital images. */
const sameAs: Readonly<Record<string, string>> = { DX: 'CR' };

/** Takes the modality from the name of the procedure if no field has one, or only one as vague as RAD; it precedes a mapping's default. */
export function takeModalityFromWords(draft: Draft): void {
  const { modality, exam_description: description } = draft.fields;
  if ((modality !== undefined && !draft.isModalityPreset) || typeof description !== 'string') return;
  const found = modalityInWords(description);
  if (found === undefined || found === modality || found === findEntry(sameAs, String(modality))) return;
  draft.fields['modality'] = found;
  draft.warnings.push(fileMessage('modality_from_words', { modality: found }));
}
