/** The transcripts of the simulated recogniser: a notice that nothing was recognised, then a test dictation. */
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

/** Words of an exam's description, folded, in three languages → body region. */
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

/** A hash of the text from 0 to less than 1 (FNV-1a; its high bits are the best). */
function hashToFraction(text: string): number {
  let hash = 0x811c9dc5;
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash / 2 ** 32;
}

/** Selects by audio, template and exam. */
function choose<T>(choices: readonly [T, ...T[]], { audio, template, exam }: DictationInput): T {
  const seed = [
    audio.sha256,
    audio.seconds ?? '',
    template.id,
    exam?.modality ?? '',
    exam?.exam_description ?? '',
  ].join('\n');
  return choices[Math.floor(hashToFraction(seed) * choices.length)] ?? choices[0];
}

const findRegion = (input: DictationContext): string =>
  regions.find(([, words]) => words.test(fold(normalForm(input.exam?.exam_description ?? ''))))?.[0] ?? 'other';

/** A dictation for the exam in the requested language. It begins with the notice and names the exam's patient. */
export const dictationFor = (input: TranscribeInput): string => dictation(input);

/** For live audio, of which nothing is known yet: only exam and template select the dictation. */
export const liveDictationFor = (input: DictationContext): string =>
  dictation({ ...input, audio: { sha256: '', seconds: null } });

/** The inputs that select a dictation. */
type DictationContext = Pick<ListenInput, 'language' | 'template' | 'exam'>;
type DictationInput = DictationContext & { readonly audio: Pick<TranscribeInput['audio'], 'sha256' | 'seconds'> };

function dictation(input: DictationInput): string {
  const { notice, patient, scripts } = dictations[input.language];
  const ofTemplate = scripts[input.template.id] ?? scripts.test_template_general;
  const script = choose(ofTemplate[findRegion(input)] ?? ofTemplate.other, input);
  const sections = Object.entries({ patient: `${input.exam?.patient_name ?? patient}.`, ...script }).map(
    ([key, text]) => `${tables[input.language].sections.titles[key] ?? key}: ${text}`,
  );
  return [notice(spokenSeconds(input)), ...sections].join(' ');
}

const spokenSeconds = ({ audio }: DictationInput): number | null =>
  audio.seconds === null ? null : Math.round(audio.seconds);

/** An instruction that `correct` understands; the text that it writes says that it was simulated. */
export const instructionFor = ({ language }: TranscribeInput): string => dictations[language].instruction;
