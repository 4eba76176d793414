/** English phrases for corrections and spelling. */
import type { CorrectionTables, MacroTables, SpellingTables } from '../tables.ts';

const corrections: CorrectionTables = {
  markers: `
    I mean, I meant, make that, no make that, correction that should be, let me correct that, let me correct, I should say,
    or should I say, or rather, sorry I mean, I'm sorry I mean, my mistake, excuse me I mean, correct that to, change that to
  `,
  weak: "correction, sorry, I'm sorry, rather, excuse me, no wait, wait",
  between: 'no',
  scratch: `
    scratch that, delete that, erase that, undo that, cancel that, disregard that, remove that, scratch the last sentence,
    delete the last sentence, erase the last sentence, disregard the last sentence, scratch last sentence,
    delete last sentence, disregard last sentence, remove the last sentence, scratch this, delete this sentence
  `,
  strike: 'strike that',
  kinds: [
    'right left bilateral right-sided left-sided bilaterally',
    'upper lower middle',
    'superior inferior',
    'anterior posterior',
    'medial lateral central',
    'superolateral inferolateral superomedial inferomedial anterolateral posterolateral anteromedial posteromedial retroareolar',
    'proximal distal',
    'internal external',
    'apical basal basilar',
    'with without',
    'mild moderate severe minimal marked trace small large mildly moderately severely',
    'malignant benign malignancy',
    'increased decreased reduced enlarged normal abnormal',
    'acute chronic subacute',
    'solid cystic mixed',
    'regular irregular lobulated spiculated smooth',
    'hypoechoic hyperechoic isoechoic anechoic',
    'hypodense hyperdense isodense hypoattenuating hyperattenuating',
    'hyperintense hypointense isointense',
    'positive negative',
    'present absent',
    'first second third fourth fifth sixth seventh eighth ninth tenth',
    'male female',
    'systolic diastolic',
    'arterial venous portal',
    'axial coronal sagittal',
    'stable unchanged larger smaller',
  ],
  negations: 'no not without',
  fillers: 'the a an on in of at side lobe to is was with',
  prepositions: ['of', 'in', 'at', 'on', 'to', 'from', 'over', 'within', 'along', 'between'],
  apart: "correction, sorry, I'm sorry, excuse me, no wait, wait",
  goesOn: 'of for with was is has to from by factor surgery',
};

const spelling: SpellingTables = {
  start: 'spelled, spell, spelling, spelt, spelled out, that is spelled',
  end: 'end spelling, end spell, stop spelling',
  alphabet: {
    alpha: 'A',
    alfa: 'A',
    bravo: 'B',
    charlie: 'C',
    delta: 'D',
    echo: 'E',
    foxtrot: 'F',
    golf: 'G',
    hotel: 'H',
    india: 'I',
    juliet: 'J',
    juliett: 'J',
    kilo: 'K',
    lima: 'L',
    mike: 'M',
    november: 'N',
    oscar: 'O',
    papa: 'P',
    quebec: 'Q',
    romeo: 'R',
    sierra: 'S',
    tango: 'T',
    uniform: 'U',
    victor: 'V',
    whiskey: 'W',
    whisky: 'W',
    xray: 'X',
    yankee: 'Y',
    zulu: 'Z',
  },
  as: 'for like',
  double: 'double',
  accents: {
    acute: '\u0301',
    grave: '\u0300',
    circumflex: '\u0302',
    tilde: '\u0303',
    umlaut: '\u0308',
    cedilla: '\u0327',
  },
};

const macros: MacroTables = {
  callers: `
    macro, insert, insert the, insert my, insert macro, insert the macro, insert my macro, insert text, insert the text,
    insert autotext, insert the autotext, insert template, insert the template, autotext, template, use macro, use the macro,
    use autotext, run macro, run the macro, call macro, apply macro, apply the macro, insert normal text, powerscribe
  `,
  nouns: 'macro autotext template',
  normals: 'normals, the normals, all normals, normal findings',
};

export const speech = { corrections, spelling, macros };
