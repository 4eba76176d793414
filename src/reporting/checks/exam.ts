/** Compares the report with the exam: side, region, modality, sex and age. */
import type { Rules } from '../rules.ts';
import { tokenise } from '../words/token.ts';
import { isConclusion, isOfNow, describesFindings } from './comparing.ts';
import type { FoundFinding } from './finding.ts';
import { findPlaces, pairedRegions, placesIn } from './regions.ts';
import type { Place } from './regions.ts';
import { readContrast } from './contrast-given.ts';
import type { ReadSection, Sentence } from './reading.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { elementAt } from '../../domain/elements.ts';

/** The facts of the exam. */
export interface Exam {
  /** DICOM: CT, MR … */
  readonly modality: string;
  readonly exam_description: string;
  /** M, F, O or U. */
  readonly patient_sex?: string | null;
  /** "054Y", "54", "54 anos", "6 meses". */
  readonly patient_age?: string | null;
}

export function checkExam(given: Exam, sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const exam = { ...given, ...namedIn(given, rules) };
  return [
    ...checkSide(exam, sections, rules),
    ...checkModality(exam, sections, rules),
    ...checkContrast(exam, sections),
    ...checkRegion(exam, sections, rules),
    ...checkSpine(exam, sections, rules),
    ...checkOrgans(exam, sections),
    ...checkSex(exam, sections, rules),
    ...checkAge(exam, sections, rules),
  ];
}

function found(
  kind: FoundFinding['kind'],
  { section, sentence, from, to }: { section: ReadSection; sentence: Sentence; from: number; to: number },
  exam: { readonly field: string; readonly text: string },
): FoundFinding {
  const words = sentence.words.filter(({ token }) => token >= from && token < to);
  const [start, end] = [words[0]?.start ?? sentence.start, words.at(-1)?.end ?? sentence.end];
  return {
    kind,
    severity: 'warning',
    section: section.key,
    start,
    end,
    words: { written: section.text.slice(start, end), exam: exam.text },
    evidence: [{ field: exam.field }],
  };
}

const described = ({ exam_description }: Exam): { field: string; text: string } => ({
  field: 'exam_description',
  text: exam_description,
});

/** Side and regions that the description names. */
interface DescriptionNames {
  readonly sides: ReadonlySet<string>;
  readonly regions: ReadonlySet<string>;
  readonly modalities: ReadonlySet<string>;
}

function namedIn({ exam_description }: Exam, rules: Rules): DescriptionNames {
  const tokens = tokenise(normalForm(exam_description).replace(/[_^/.-]/g, ' '));
  const limbs = tokens.flatMap(({ text }) => readLimb(text, rules) ?? []);
  const sides = tokens.flatMap(({ folded, text }) => rules.facts.sides.get(folded) ?? shortSide(text, rules));
  return {
    sides: new Set([...sides, ...limbs.flatMap(({ side }) => side ?? [])]),
    regions: new Set([
      ...findPlaces(tokens, 0, tokens.length, rules.lexicon.regions).map(({ value }) => value),
      ...limbs.map(({ limb }) => limb),
    ]),
    modalities: new Set(findPlaces(tokens, 0, tokens.length, rules.lexicon.modalities).map(({ value }) => value)),
  };
}

/** "RM JOELHO D", "MR KNEE LT" */
function shortSide(text: string, { language }: Rules): string[] {
  if (language === 'en-US') return /^(?:RT|R)$/.test(text) ? ['right'] : /^(?:LT|L)$/.test(text) ? ['left'] : [];
  return /^(?:D|DIR|DER)$/.test(text) ? ['right'] : /^(?:E|ESQ|I|IZQ)$/.test(text) ? ['left'] : [];
}

/** The regions of a limb. */
const limbRegions: Readonly<Record<string, readonly string[]>> = {
  'lower limb': ['hip', 'thigh', 'knee', 'leg', 'ankle', 'foot'],
  'upper limb': ['shoulder', 'elbow', 'forearm', 'wrist', 'hand'],
};

/** "XR RLE", "DOPPLER MI ESQ", "DOPPLER MIE" */
function readLimb(text: string, { language }: Rules): { limb: string; side?: 'right' | 'left' } | undefined {
  const isEnglish = language === 'en-US';
  const [, first, second] = (isEnglish ? /^([RL])([LU])E$/ : /^M([IS])([DEI])?$/).exec(text) ?? [];
  if (first === undefined) return undefined;
  const isLower = isEnglish ? second === 'L' : first === 'I';
  const side = isEnglish ? first : second;
  return {
    limb: isLower ? 'lower limb' : 'upper limb',
    ...(side !== undefined && { side: side === (isEnglish ? 'R' : 'D') ? 'right' : 'left' }),
  };
}

/** A side other than the exam's, for the part that the exam shows. */
function checkSide(exam: Exam & DescriptionNames, sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const { sides, regions } = exam;
  const [side] = sides;
  const region = [...regions].find((each) => pairedRegions.has(each) || limbRegions[each] !== undefined);
  if (sides.size !== 1 || side === 'both' || region === undefined) return [];
  return each(sections, ({ section, sentence }) => {
    // "Artroplastia do joelho esquerdo em 2020" is why the other knee is shown.
    const isPast = sentence.isHistory && !describesFindings(section);
    if (sentence.compares || sentence.isPrior || isPast || section.key === 'comparison') return [];
    const others = sentence.words.filter(({ fact, value }) => fact === 'side' && value !== side && value !== 'both');
    const hasOwn = sentence.words.some(({ fact, value }) => fact === 'side' && (value === side || value === 'both'));
    if (hasOwn) return [];
    const named = placesIn(section, sentence, rules.lexicon.regions);
    // Another part of the body may have another side: "artroscopia prévia no ombro esquerdo".
    const own = limbRegions[region] ?? [region];
    if (named.length > 0 && !named.some(({ value }) => own.includes(value))) return [];
    return others.map((word) =>
      found('side_differs_from_exam', { section, sentence, from: word.token, to: word.token + 1 }, described(exam)),
    );
  });
}

const each = (
  sections: readonly ReadSection[],
  look: (of: { section: ReadSection; sentence: Sentence }) => FoundFinding[],
): FoundFinding[] =>
  sections.flatMap((section) => section.sentences.flatMap((sentence) => look({ section, sentence })));

/** Modalities that are equal for this check. */
const sameModality: Readonly<Record<string, string>> = {
  DX: 'CR',
  RF: 'CR',
  RG: 'CR',
  IO: 'CR',
  PX: 'CR',
  XA: 'CR',
  CTA: 'CT',
  MRA: 'MR',
};

/** Whether a sentence describes how the exam was made. */
const describesTechnique = (section: ReadSection, sentence: Sentence, { lexicon }: Rules): boolean =>
  section.key === 'technique' ||
  (section.key === 'findings' &&
    section.sentences[0] === sentence &&
    placesIn(section, sentence, lexicon.modalities).some(({ from }) => from < sentence.from + 4) &&
    sentence.words.length <= 14);

/** In the technique, "images were obtained" is about this exam. */
const speaksOfAnother = ({ key }: ReadSection, { compares, isPrior }: Sentence): boolean =>
  compares || (isPrior && key !== 'technique');

function checkModality(exam: Exam & DescriptionNames, sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const own = sameModality[exam.modality] ?? exam.modality;
  if (own === '') return [];
  const known = new Set([...exam.modalities, own]);
  return each(sections, ({ section, sentence }) => {
    if (!describesTechnique(section, sentence, rules) || speaksOfAnother(section, sentence)) return [];
    const named = placesIn(section, sentence, rules.lexicon.modalities).filter(
      (place) => !isDevice(section, sentence, place, rules),
    );
    if (named.length === 0 || named.some(({ value }) => known.has(value)) || !isKnown(own, rules)) return [];
    return [found('exam_mismatch', { section, sentence, ...elementAt(named, 0) }, described(exam))];
  });
}

/** A technique with contrast in an exam that was ordered without, and the other way round. */
function checkContrast(exam: Exam, sections: readonly ReadSection[]): FoundFinding[] {
  const wanted = readContrast(normalForm(exam.exam_description).replace(/[_^]/g, ' '));
  const technique = sections.find(({ key }) => key === 'technique');
  if (wanted === undefined || wanted === 'both' || !technique) return [];
  const named = technique.sentences.flatMap((sentence) => {
    const stated = readContrast(technique.text.slice(sentence.start, sentence.end));
    return stated === undefined ? [] : [{ sentence, stated }];
  });
  const isGiven = named.some(({ stated }) => stated !== 'withheld');
  const [first] = named;
  if (!first || (wanted === 'given') === isGiven) return [];
  const { sentence } = named.find(({ stated }) => stated !== wanted) ?? first;
  return [
    found('exam_mismatch', { section: technique, sentence, from: sentence.from, to: sentence.to }, described(exam)),
  ];
}

/** "Absorciometria por raios X de dupla energia", "x-ray tube": the principle of a device, not a radiograph. */
const isDevice = (
  { tokens }: ReadSection,
  sentence: Sentence,
  { value, from, to }: Place<string>,
  rules: Rules,
): boolean =>
  value === 'CR' &&
  tokens
    .slice(Math.max(sentence.from, from - 4), Math.min(sentence.to, to + 4))
    .some(({ folded }) => rules.lexicon.devices.has(folded));

const isKnown = (modality: string, { lexicon }: Rules): boolean =>
  [...lexicon.modalities.values()].some((rows) => rows.some(({ value }) => value === modality));

/** Regions that overlap. */
const near: Readonly<Record<string, readonly string[]>> = {
  ...limbRegions,
  testis: ['pelvis'],
  chest: ['heart', 'abdomen', 'neck', 'dorsal', 'breast'],
  abdomen: ['pelvis', 'chest', 'prostate', 'lumbar'],
  pelvis: ['abdomen', 'prostate', 'hip', 'lumbar'],
  prostate: ['pelvis', 'abdomen'],
  neck: ['cervical', 'thyroid', 'carotid', 'head', 'chest'],
  thyroid: ['neck', 'carotid'],
  carotid: ['neck', 'head', 'thyroid'],
  head: ['neck', 'carotid', 'cervical'],
  heart: ['chest'],
  foot: ['ankle', 'leg'],
  ankle: ['foot', 'leg'],
  hand: ['wrist'],
  wrist: ['hand', 'forearm'],
  forearm: ['wrist', 'elbow'],
  elbow: ['forearm'],
  knee: ['leg', 'thigh'],
  thigh: ['hip', 'knee', 'leg'],
  leg: ['knee', 'ankle', 'thigh', 'foot'],
  hip: ['pelvis', 'thigh'],
  lumbar: ['dorsal', 'pelvis', 'abdomen'],
  dorsal: ['lumbar', 'cervical', 'chest'],
  cervical: ['dorsal', 'neck', 'head'],
  breast: ['chest'],
  shoulder: ['chest'],
};

function checkRegion(exam: Exam & DescriptionNames, sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const { regions } = exam;
  if (regions.size === 0) return [];
  const known = new Set([...regions].flatMap((region) => [region, ...(near[region] ?? [])]));
  return each(sections, ({ section, sentence }) => {
    if (!describesTechnique(section, sentence, rules) || speaksOfAnother(section, sentence)) return [];
    const named = placesIn(section, sentence, rules.lexicon.regions);
    if (named.length === 0 || named.some(({ value }) => known.has(value))) return [];
    return [found('exam_mismatch', { section, sentence, ...elementAt(named, 0) }, described(exam))];
  });
}

/** Organs that an exam of a region may mention; a region without a row may mention any. */
const organsOfRegion: Readonly<Record<string, readonly string[]>> = {
  chest: ['lung', 'pleura', 'heart', 'rib', 'node'],
  abdomen: [
    'liver',
    'kidney',
    'spleen',
    'pancreas',
    'gallbladder',
    'bowel',
    'adrenal',
    'bladder',
    'uterus',
    'ovary',
    'prostate',
  ],
  pelvis: ['bladder', 'uterus', 'ovary', 'prostate', 'bowel', 'hip', 'femur'],
  head: ['brain'],
  knee: ['knee', 'femur', 'tibia'],
  shoulder: ['shoulder', 'humerus', 'rib'],
  elbow: ['humerus', 'wrist'],
  forearm: ['wrist', 'humerus'],
  hand: ['wrist'],
  thigh: ['femur', 'hip', 'knee'],
  leg: ['tibia', 'ankle', 'knee'],
  foot: ['ankle'],
  hip: ['hip', 'femur'],
  wrist: ['wrist'],
  ankle: ['ankle', 'tibia'],
  breast: ['breast', 'node', 'skin'],
  thyroid: ['thyroid', 'node'],
  prostate: ['prostate', 'bladder', 'node'],
};

/** Neighbouring parts of the spine that an exam of one part may also mention. */
const spineOf: Readonly<Record<string, { readonly parts: readonly string[]; readonly levels: RegExp }>> = {
  cervical: { parts: ['cervical'], levels: /^(?:c\d|[td][1-4])$/ },
  dorsal: { parts: ['dorsal'], levels: /^(?:[td]\d{1,2}|c7|l[12])$/ },
  lumbar: { parts: ['lumbar'], levels: /^(?:[ls]\d|[td]1[0-2])$/ },
};
/** Levels that are neither a sequence nor a stage ("T2") nor a lead: in pairs, or cervical and lumbar ones. */
const levelPattern = /^(?:[cdlst]\d{1,2}-[cdlst]\d{1,2}|[cl][1-7])$/;

/** Finds a text about another part of the spine than the exam's. */
function checkSpine(exam: Exam & DescriptionNames, sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const { regions } = exam;
  const known = [...regions].flatMap((region) => spineOf[region] ?? []);
  if (known.length === 0) return [];
  const relevant = sections.filter((section) => describesFindings(section) || isConclusion(section));
  const places = relevant.flatMap((section) =>
    section.sentences.filter(isOfNow).flatMap((sentence) => [
      ...sentence.words
        .filter(({ key }) => levelPattern.test(key))
        .map(({ key, token }) => {
          const isOwn = key.split('-').some((level) => known.some(({ levels }) => levels.test(level)));
          return { section, sentence, isOwn, from: token, to: token + 1 };
        }),
      ...placesIn(section, sentence, rules.lexicon.spine).map(({ value, from, to }) => {
        const isOwn = known.some(({ parts }) => parts.includes(value));
        return { section, sentence, isOwn, from, to };
      }),
    ]),
  );
  const [first] = places;
  return first && places.every(({ isOwn }) => !isOwn) ? [found('exam_mismatch', first, described(exam))] : [];
}

const joints = new Set(['knee', 'shoulder', 'hip', 'wrist', 'ankle']);
const abdominal = new Set(['liver', 'kidney', 'spleen', 'pancreas', 'gallbladder', 'bowel', 'adrenal']);

/** Whether one organ is enough: another joint than the exam's, or the abdomen in an exam of the head or a limb. */
const isFar = (organ: string, regions: ReadonlySet<string>): boolean =>
  (joints.has(organ) && [...regions].every((region) => pairedRegions.has(region) && region !== 'breast')) ||
  (abdominal.has(organ) && [...regions].every((region) => region === 'head' || pairedRegions.has(region)));

/** A text that mentions several organs, and none that the exam shows, may belong to another exam. */
function checkOrgans(exam: Exam & DescriptionNames, sections: readonly ReadSection[]): FoundFinding[] {
  const { regions } = exam;
  const expected = new Set([...regions].flatMap((region) => organsOfRegion[region] ?? []));
  if (expected.size === 0) return [];
  const mainSections = sections.filter(({ key }) => key === 'findings' || key === 'impression');
  const organs = mainSections.flatMap((section) =>
    section.sentences
      .filter(({ isHistory }) => !isHistory)
      .flatMap((sentence) => sentence.organs.map((organ) => ({ ...organ, section, sentence }))),
  );
  const telling = organs.filter(({ key }) => key !== 'node' && key !== 'skin');
  const [first] = telling;
  const words = new Set(telling.map(({ section, token }) => elementAt(section.tokens, token).folded));
  const isTelling = words.size >= 2 || telling.every(({ key }) => isFar(key, regions));
  const isOther = isTelling && !organs.some(({ key }) => expected.has(key));
  if (!first || !isOther) return [];
  const { section, sentence, token } = first;
  return [found('exam_mismatch', { section, sentence, from: token, to: token + 1 }, described(exam))];
}

/** "Mãe com câncer de ovário": about a relative. */
const isOfFamily = (section: ReadSection, sentence: Sentence, { lexicon }: Rules): boolean =>
  placesIn(section, sentence, lexicon.family).length > 0;

function checkSex({ patient_sex: sex }: Exam, sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  if (sex !== 'M' && sex !== 'F') return [];
  const wrong = new Set<string>(
    sex === 'M' ? ['femaleOrgans', 'pregnancy', 'female', 'fetus'] : ['maleOrgans', 'male'],
  );
  // A fetus may have any finding.
  const isObstetric =
    sex === 'F' &&
    each(sections, ({ section, sentence }) =>
      placesIn(section, sentence, rules.lexicon.people).some(({ value }) => value === 'fetus') ? [marker] : [],
    ).length > 0;
  if (isObstetric) return [];
  return each(sections, ({ section, sentence }) => {
    if (isOfFamily(section, sentence, rules)) return [];
    const named = placesIn(section, sentence, rules.lexicon.people).find(({ value }) => wrong.has(value));
    return named
      ? [found('sex_implausible', { section, sentence, ...named }, { field: 'patient_sex', text: sex })]
      : [];
  });
}

const marker: FoundFinding = { kind: 'sex_implausible', severity: 'info', section: '', start: 0, end: 0 };

/** Age in years; `undefined` if unknown. */
export function parseYears(age: string | null | undefined): number | undefined {
  const match =
    /^\s*0*(\d{1,3})\s*([dwmy]|dias?|d[ií]as?|days?|semanas?|weeks?|mes(?:es)?|m[eê]s|months?|anos?|años?|years?)?/i.exec(
      age ?? '',
    );
  if (!match) return undefined;
  const unit = (match[2] ?? 'y').toLowerCase();
  const value = Number(match[1]);
  if (unit.startsWith('d')) return value / 365;
  if (unit.startsWith('w') || unit.startsWith('s')) return value / 52;
  return unit.startsWith('m') ? value / 12 : value;
}

function checkAge({ patient_age: age }: Exam, sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const years = parseYears(age);
  if (!age || years === undefined) return [];
  const exam = { field: 'patient_age', text: age };
  return each(sections, ({ section, sentence }) => {
    if (isOfFamily(section, sentence, rules)) return [];
    const stated = statedAge(sentence, rules);
    if (stated && Math.abs(stated.years - Math.floor(years)) > 1) {
      return [found('age_implausible', { section, sentence, from: stated.token, to: stated.token + 2 }, exam)];
    }
    const named = placesIn(section, sentence, rules.lexicon.people).find(
      ({ value }) => (value === 'pregnancy' && (years < 9 || years > 60)) || (value === 'childhood' && years > 14),
    );
    return named ? [found('age_implausible', { section, sentence, ...named }, exam)] : [];
  });
}

/** "paciente masculino de 45 anos", "45-year-old" */
function statedAge({ words }: Sentence, { lexicon }: Rules): { years: number; token: number } | undefined {
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (word.fact !== 'number' || !/^\d{1,3}$/.test(word.value ?? '') || !next || !lexicon.years.has(next.key))
      continue;
    const near_ = words.slice(Math.max(0, at - 5), at + 5);
    const isAge = near_.some(({ key }) => lexicon.patient.has(key));
    if (isAge) return { years: Number(word.value), token: word.token };
  }
  return undefined;
}
