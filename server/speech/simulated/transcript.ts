/** The transcripts of the simulated recogniser: a sentence that nothing was recognised, then a test dictation. */
import type { Language } from '../../../src/contract/shared.ts';
import { fold } from '../../../src/domain/fold.ts';
import { tables } from '../../../src/reporting/languages/index.ts';
import type { ListenInput, TranscribeInput } from '../recogniser.ts';
import { dictationsEn } from './dictations-en.ts';
import { dictationsEs } from './dictations-es.ts';
import { dictationsPt } from './dictations-pt.ts';
import type { TestDictations } from './test-dictations.ts';
import { normalForm } from '../../../src/domain/normal-form.ts';

const dictations: Readonly<Record<Language, TestDictations>> = {
  'pt-BR': dictationsPt,
  'en-US': dictationsEn,
  'es-ES': dictationsEs,
};

/** Words of an exam's description (folded, in our three languages) → what was examined. */
const regions: readonly (readonly [region: string, words: RegExp])[] = [
  ['breast', /\b(?:mamas?|mamografia|mamaria|breasts?|mammogra\w+|mamario)\b/],
  ['ecg', /\b(?:ecg|ekg|holter|eletrocardiograma|electrocardiogra\w+|ergometrico)\b/],
  ['head', /\b(?:cranio|encefalo|cerebr\w+|craneo|head|brain|face|seios|sinus\w*)\b/],
  ['spine', /\b(?:coluna|columna|spine|lombar|lumbar|cervical|lombossacra)\b/],
  ['chest', /\b(?:torax|toracic[ao]|pulmao|pulmoes|chest|lungs?|thorax|thoracic)\b/],
  ['abdomen', /\b(?:abdom\w+|figado|liver|higado|pelve|pelvis|renal|rins|vias urinarias|prostata)\b/],
  [
    'limb',
    /\b(?:joelho|ombro|quadril|punho|tornozelo|pe|mao|cotovelo|knee|shoulder|hip|wrist|ankle|foot|hand|rodilla|hombro|cadera|muneca|tobillo|pie|mano)\b/,
  ],
];

/** A number from 0 to less than 1, from a text, the same everywhere (FNV-1a, of which the high bits are the good ones). */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash / 2 ** 32;
}

/** Which of `choices` this audio has, for this template and exam. */
function choose<T>(choices: readonly [T, ...T[]], { audio, template, exam }: Spoken): T {
  const seed = [
    audio.sha256,
    audio.seconds ?? '',
    template.id,
    exam?.modality ?? '',
    exam?.exam_description ?? '',
  ].join('\n');
  return choices[Math.floor(fractionOf(seed) * choices.length)] ?? choices[0];
}

const regionOf = (input: Told): string =>
  regions.find(([, words]) => words.test(fold(normalForm(input.exam?.exam_description ?? ''))))?.[0] ?? 'other';

/**
 * A dictation for the exam, in the language asked for, that begins by saying that it was not recognised from the audio,
 * and names the patient of the exam.
 */
export const dictationFor = (input: TranscribeInput): string => dictation(input);

/** The same of sound that has just begun: nothing but the exam and the template can choose then. */
export const liveDictationFor = (input: Told): string => dictation({ ...input, audio: { sha256: '', seconds: null } });

/** What chooses a dictation. */
type Told = Pick<ListenInput, 'language' | 'template' | 'exam'>;
type Spoken = Told & { readonly audio: Pick<TranscribeInput['audio'], 'sha256' | 'seconds'> };

function dictation(input: Spoken): string {
  const { notice, patient, scripts } = dictations[input.language];
  const ofTemplate = scripts[input.template.id] ?? scripts.test_template_general;
  const script = choose(ofTemplate[regionOf(input)] ?? ofTemplate.other, input);
  const sections = Object.entries({ patient: `${input.exam?.patient_name ?? patient}.`, ...script }).map(
    ([key, text]) => `${tables[input.language].sections.titles[key] ?? key}: ${text}`,
  );
  return [notice(spokenSeconds(input)), ...sections].join(' ');
}

const spokenSeconds = ({ audio }: Spoken): number | null => (audio.seconds === null ? null : Math.round(audio.seconds));

/** An instruction that `correct` carries out; what it writes says that it was simulated. */
export const instructionFor = ({ language }: TranscribeInput): string => dictations[language].instruction;
