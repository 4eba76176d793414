/** The subspecialty of an exam, for those who read only one: from the RIS, the modality, or the description. */
import { subspecialties } from '../contract/worklist-item.ts';
import type { Subspecialty, WorklistItem } from '../contract/worklist-item.ts';
import { foldText, hasWord } from './search-text.ts';

/** Modalities that imply a subspecialty, whatever the description says. */
const ofModality: Readonly<Record<string, Subspecialty>> = {
  MG: 'breast',
  ECG: 'cardiovascular',
  XA: 'cardiovascular',
  IVUS: 'cardiovascular',
  BMD: 'musculoskeletal',
};

/**
 * Beginnings of words of a description, without accents, in Portuguese, English and Spanish. The first matching line
 * decides: an angiography of the neck is vascular, and the lumbar spine is neuro.
 */
const words: readonly (readonly [Subspecialty, string])[] = [
  ['breast', 'mama mamografia mammogra breast mamas'],
  ['obstetrics_gynecology', 'obstet fetal gestac pregnan embaraz uter ovar endovaginal transvaginal ginec gynec'],
  [
    'cardiovascular',
    'cardiac cardiaca cardiaco corac coraz heart coronar miocard myocard ecocardio ecodoppler echocardio aort carotid venos arteri angio vascular trombo',
  ],
  [
    'neuro',
    'cranio crani encefal cerebr brain skull neuro hipofis pituitar coluna columna spine lombar lumbar cervical medula',
  ],
  [
    'head_neck',
    'pescoco cuello neck tireoid tiroid thyroid seios sinus senos face orbita orbit mastoid laring larynx parotid',
  ],
  ['chest', 'torax thorax chest pulm lung costela rib costill'],
  [
    'abdomen',
    'abdom pelve pelvi figado liver hepat higad rim rins renal kidney rinon pancre vesicula biliar prostat bexig bladder vejig intestin colon deglut esofag esophag transit urin urot urog',
  ],
  [
    'musculoskeletal',
    'joelho rodilla knee ombro hombro shoulder quadril cadera hip punho muneca wrist mao mano hand pe pie foot tornozelo tobillo ankle cotovelo codo elbow femur tibia umer humer osso osse bone fratur fractur articula joint musculo muscul',
  ],
  // A bare head is the brain; `femoral head` and `cabeça do fêmur` are bones.
  ['neuro', 'head cabeca cabeza'],
];
const stems = words.map(([name, line]) => [name, line.split(' ')] as const);

/** Words that match only as a whole: `pe` (foot) also begins `perfil`. */
const whole = new Set(['pe', 'pie', 'rim', 'rib', 'hip', 'mao', 'face']);

function hasStem(folded: string, stem: string): boolean {
  if (!whole.has(stem)) return hasWord(folded, stem);
  return ` ${folded.replace(/[^a-z0-9]+/g, ' ')} `.includes(` ${stem} `);
}

const isSubspecialty = (word: string): word is Subspecialty => (subspecialties as readonly string[]).includes(word);

/** Descriptions come from a catalogue of procedures: a few hundred of them make a worklist of a million. */
const known = new Map<string, Subspecialty>();
const maxKnown = 5000;

/** `metadata.subspecialty` if the RIS names one of ours; otherwise by modality and description. */
export function findSubspecialty({
  metadata,
  modality,
  exam_description: description,
}: Pick<WorklistItem, 'metadata' | 'modality' | 'exam_description'>): Subspecialty {
  const named = metadata?.['subspecialty'];
  if (typeof named === 'string') {
    const word = named.trim().toLowerCase();
    if (isSubspecialty(word)) return word;
  }
  const byModality = ofModality[modality];
  if (byModality !== undefined) return byModality;
  const before = known.get(description);
  if (before !== undefined) return before;
  const folded = foldText(description);
  const found = stems.find(([, each]) => each.some((stem) => hasStem(folded, stem)))?.[0] ?? 'general';
  if (known.size >= maxKnown) known.clear();
  known.set(description, found);
  return found;
}
