/**
 * Turns a dictation, spoken or typed, into a report. Requests and jobs share this code: a job is a stored dictation.
 */
import type { Readable } from 'node:stream';
import type { GenerateRequest } from '../../src/contract/record.ts';
import type { SoundGap } from '../../src/contract/sound-gap.ts';
import type { SpokenPiece } from '../../src/contract/spoken-piece.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { Template } from '../../src/contract/template.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { DetailCode } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { HeardText, UnknownWords } from '../../src/domain/heard-text.ts';
import { macrosOfTemplate } from '../../src/reporting/vocabulary/macros.ts';
import { detectLanguage } from '../../src/reporting/words/language.ts';
import { refuseSections, textOf } from '../../src/domain/record-state.ts';
import { typedSections, wordsOfRequest } from '../../src/reporting/typed-report.ts';
import { containsTestPatientName } from '../../src/domain/test-data.ts';
import type { Call } from '../http/call.ts';
import type { RecordDeps } from './deps.ts';
import type { Blobs } from '../storage/blobs/blobs.ts';
import type { Documents, StoredAudio } from '../storage/collections.ts';
import { findBrought } from './brought.ts';
import { callableMacros } from './wordbook/macros.ts';
import { expectedTerms, termsFor } from './wordbook/vocabulary.ts';
import { whoIs } from '../http/caller.ts';
import { suggestTemplate } from './templates/templates.ts';
import { findExam, noSuchExam, toExamContext } from './exam.ts';
import { inspect } from './inspect.ts';
import type { Inspection } from '../../src/reporting/versions/inspection.ts';
import { withFindings } from './review.ts';
import { findOrderFacts } from './order-facts.ts';
import type { StoredRecord } from './stored-record.ts';
import { toStoredSound } from './transcriptions/stored-transcription.ts';
import type { ExamContext } from '../speech/exam-context.ts';

/** The input of a report; a job has the same fields. */
export type Dictation = Pick<Documents['jobs'], 'space' | 'who' | 'user_id' | 'test_mode' | 'request' | 'audio'>;

export type DictationDeps = Pick<
  RecordDeps,
  'store' | 'blobs' | 'recognition' | 'transcriptions' | 'writer' | 'templates' | 'workers' | 'lexicon' | 'clock'
>;

/** The language if request, text and exam don't reveal one. */
const fallbackLanguage: Language = 'en-US';

const invalidField = (field: string, message: string, code: DetailCode): AppError =>
  validationFailed([{ field, message, code }]);

/**
 * The request's text or audio; it must have exactly one. ENGINE_UNAVAILABLE if the caller waits for the answer and has
 * no recogniser.
 */
export function readInput(
  { recognition }: Pick<RecordDeps, 'recognition'>,
  body: { text?: string; audio?: unknown; mode?: GenerateRequest['mode'] },
  { upload, caller }: Pick<Call, 'upload' | 'caller'>,
): { text: string; audio: null } | { text: undefined; audio: NonNullable<Call['upload']>['audio'] } {
  const { text } = body;
  if (text !== undefined && body.audio !== undefined) {
    throw invalidField('audio', 'send either text or audio, not both', 'INVALID_VALUE');
  }
  if (upload) {
    if (body.mode !== 'async') recognition.require(caller);
    return { text: undefined, audio: upload.audio };
  }
  if (text === undefined) throw invalidField('text', 'text or audio is required', 'FIELD_REQUIRED');
  if (text.trim() === '') throw invalidField('text', 'text must hold more than white space', 'INVALID_VALUE');
  return { text, audio: null };
}

/** Whether the request contains a typed report, which must be its only input. */
function isTyped({ text, verbatim, audio, sections }: GenerateRequest, { upload }: Call): boolean {
  const hasAudio = audio !== undefined || upload !== undefined;
  if (verbatim === true && (text === undefined || hasAudio)) {
    throw invalidField('verbatim', 'verbatim comes with text, of which it says that it was typed', 'INVALID_VALUE');
  }
  if (!sections) return false;
  if (text !== undefined || hasAudio)
    throw invalidField('sections', 'send sections alone, without text or audio', 'INVALID_VALUE');
  refuseSections(sections);
  if (sections.every((section) => section.text.trim() === '')) {
    throw invalidField('sections', 'sections must hold more than white space', 'INVALID_VALUE');
  }
  return true;
}

/** The pieces of live transcriptions, which must be the only input. */
function readPieces(body: GenerateRequest): readonly SpokenPiece[] | undefined {
  const { transcription_id: id, transcriptions } = body;
  const pieces = id === undefined ? transcriptions : [{ id }];
  const inputs = [body.text, body.sections, body.audio, id, transcriptions].filter((input) => input !== undefined);
  if (pieces && inputs.length > 1) {
    const field = id === undefined ? 'transcriptions' : 'transcription_id';
    throw invalidField(
      field,
      `send ${field} alone, without text, sections, audio or another transcription`,
      'INVALID_VALUE',
    );
  }
  for (const [at, { start = 0, end = Infinity }] of (pieces ?? []).entries()) {
    if (end <= start) throw invalidField(`transcriptions.${at}.end`, 'end must be after start', 'INVALID_VALUE');
  }
  return pieces;
}

/**
 * Validates a request and creates its dictation before any engine works. Ends the named live transcriptions and joins
 * their audio; the caller deletes it if no record is created.
 */
export async function createDictation(services: DictationDeps, body: GenerateRequest, call: Call): Promise<Dictation> {
  const { caller } = call;
  const pieces = readPieces(body);
  const { audio } = pieces || isTyped(body, call) ? { audio: null } : readInput(services, body, call);
  const words = wordsOfRequest(body);
  if (caller.test_mode && words !== undefined && !containsTestPatientName(words)) {
    const field = body.sections ? 'sections' : 'text';
    throw invalidField(
      field,
      `in test mode ${field} must contain the name of a test patient, for example "Test Patient"`,
      'TEST_DATA_REQUIRED',
    );
  }
  if (body.brought !== undefined && !body.sections)
    throw invalidField('brought', 'brought comes with sections, of whose words it names the sources', 'INVALID_VALUE');
  const { template_id: templateId } = body;
  if (templateId !== undefined && !(await services.templates.find(caller, { id: templateId }, fallbackLanguage))) {
    const suggestion = await suggestTemplate(services.templates, caller, templateId);
    throw invalidField('template_id', `template_id is not the id of a template${suggestion}`, 'INVALID_VALUE');
  }
  if (body.worklist_item_id !== undefined && !(await findExam(services.store, caller.space, body.worklist_item_id))) {
    throw noSuchExam();
  }
  const { audio: _audio, transcription_id: _id, ...request } = body;
  const { space, user, test_mode } = caller;
  const whose = { space, who: whoIs(caller), ...(user && { user_id: user.id }), test_mode };
  if (words !== undefined && body.sound_gaps !== undefined)
    throw invalidField('sound_gaps', 'send sound_gaps with sound alone', 'INVALID_VALUE');
  if (!pieces) return { ...whose, request, audio };
  const { audio: whole, ...spokenFor } = await services.transcriptions.dictate(pieces, caller);
  return { ...whose, request: { ...spokenFor, ...request, transcriptions: [...pieces] }, audio: whole };
}

/** The engines' report of a dictation, with its inspection. */
export interface Draft {
  readonly document: Pick<
    StoredRecord,
    | 'title'
    | 'template_id'
    | 'template_version'
    | 'language'
    | 'sections'
    | 'transcript'
    | 'heard_words'
    | 'suppressed'
    | 'other_readings'
    | 'unknown_words'
    | 'heard_sound'
  >;
  readonly inspection: Inspection;
  readonly template: Template;
}

/** Transcribes the audio, if any, and composes the report. Calls `afterHearing` after the transcription. */
export async function draftDocument(
  services: DictationDeps,
  dictation: Dictation,
  signal: AbortSignal,
  afterHearing: () => Promise<void> = async () => {},
): Promise<Draft> {
  const { recognition, transcriptions, writer, templates, blobs } = services;
  const { request, audio } = dictation;
  const item = await findExam(services.store, dictation.space, request.worklist_item_id);
  const exam = item ? toExamContext(item) : null;
  const words = wordsOfRequest(request);
  const language =
    request.language ??
    (words === undefined ? undefined : detectLanguage(words)) ??
    (await languageOfTemplate(templates, dictation)) ??
    (exam ? detectLanguage(exam.exam_description) : undefined) ??
    fallbackLanguage;
  const template = await templates.choose(dictation, { id: request.template_id, language, exam });
  const typed = typedSections(request, { language, template: template.sections });
  let heard: HeardText = { text: typed ? '' : (request.text ?? '') };
  if (audio) {
    const live = request.transcriptions && (await transcriptions.heard(request.transcriptions, language, signal));
    const read = () => openAudio(blobs, audio);
    const transcribed = async (): Promise<HeardText> => {
      const terms = await expectedTerms(services.store, dictation, { template, exam });
      const input = { audio, read, language, template, exam, terms, purpose: 'record' as const };
      return recognition.transcribe(dictation, input, signal);
    };
    heard = withGaps(live ?? (await unlessAborted(transcribed(), signal)), request.sound_gaps);
    await afterHearing();
  }
  const asker = { account: dictation.space, signal };
  const macros = await callableMacros(services.store, dictation, template);
  const vocabulary = { terms: await termsFor(services.store, dictation, language), isHeard: audio !== null };
  const known = [
    ...vocabulary.terms.flatMap(({ write, for: forms }) => [write, ...forms]),
    ...macros.map(({ name }) => name),
    ...template.sections.flatMap(({ title, names = [] }) => [title, ...names]),
    ...(exam ? [exam.exam_description, exam.patient_name] : []),
  ];
  const question = { text: heard.text, language, known };
  const unknown = await unlessAborted(services.lexicon.findUnknown(question, asker), signal);
  if (unknown.length > 0) heard = { ...heard, unknown };
  const order = await findOrderFacts(services.store, template, item);
  const about = { space: dictation.space, worklist_item_id: request.worklist_item_id ?? null };
  const brought = await findBrought(services.store, about, request.brought);
  const composed = { account: dictation.space, order, heard, template, macros, vocabulary, language, exam };
  const input = typed ? { ...composed, typed: { sections: typed, by: dictation.who, brought } } : composed;
  const { sections, provenance } = await unlessAborted(writer.compose(input, signal), signal);
  const against = {
    language,
    template: template.sections,
    macros: macrosOfTemplate(template.macros),
    heard: typed ? null : heard,
    exam,
  };
  return {
    document: {
      title: chooseTitle(template, exam),
      template_id: template.id,
      template_version: template.version,
      language,
      sections,
      transcript: typed ? null : heard.text,
      ...(heard.words && { heard_words: [...heard.words] }),
      ...(heard.suppressed && { suppressed: [...heard.suppressed] }),
      ...(heard.otherReadings && { other_readings: [...heard.otherReadings] }),
      ...(heard.unknown && { unknown_words: storedUnknown(heard.unknown) }),
      ...(heard.sound && { heard_sound: toStoredSound(heard.sound) }),
    },
    template,
    inspection: await unlessAborted(inspect(services, { sections, against, provenance }, asker), signal),
  };
}

const withGaps = (heard: HeardText, gaps: readonly SoundGap[] = []): HeardText =>
  gaps.length === 0 ? heard : { ...heard, sound: { ...heard.sound, gaps } };

const storedUnknown = (unknown: readonly UnknownWords[]): NonNullable<StoredRecord['unknown_words']> =>
  unknown.map(({ near, ...words }) => ({ ...words, ...(near && { near: [...near] }) }));

/** The language of the requested template, if it is the space's own. */
async function languageOfTemplate(
  templates: RecordDeps['templates'],
  dictation: Dictation,
): Promise<Language | undefined> {
  const { template_id: id } = dictation.request;
  const template = id === undefined ? undefined : await templates.find(dictation, { id }, fallbackLanguage);
  return template?.origin === 'own' ? template.language : undefined;
}

/** Opens the audio. STORAGE_UNAVAILABLE if it is missing. */
export async function openAudio(blobs: Blobs, { blob, sha256 }: StoredAudio): Promise<Readable> {
  const audio = await blobs.read(blob, { sha256 });
  if (!audio) throw new AppError('STORAGE_UNAVAILABLE', { message: 'The audio is gone.' });
  return audio.stream;
}

/** Rejects with INTERRUPTED when the signal is aborted, even if the work ignores the signal. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AppError('INTERRUPTED'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Runs work for a waiting caller. 503 SERVER_BUSY if the caller disconnected or the server is stopping. */
export async function whileCalled<T>(call: Pick<Call, 'signal'>, work: Promise<T>): Promise<T> {
  try {
    return await unlessAborted(work, call.signal);
  } catch (cause) {
    throw call.signal.aborted ? new AppError('SERVER_BUSY', { retryAfter: 1, cause }) : cause;
  }
}

/** Creates the record of a draft, at version 1. */
export function createRecord(
  dictation: Dictation,
  { document, inspection }: Draft,
  from: { id: string; job_id: string | null; clock: RecordDeps['clock'] },
): StoredRecord {
  const { audio, request } = dictation;
  const now = isoNow(from.clock);
  return {
    id: from.id,
    space: dictation.space,
    version: 1,
    status: 'draft',
    ...document,
    text: textOf(document.sections),
    source: audio
      ? {
          kind: 'audio',
          ...(audio.seconds !== null && { audio_seconds: audio.seconds }),
          content_type: audio.content_type,
          sha256: audio.sha256,
        }
      : { kind: 'text' },
    worklist_item_id: request.worklist_item_id ?? null,
    job_id: from.job_id,
    test_mode: dictation.test_mode,
    metadata: request.metadata ?? {},
    created_at: now,
    updated_at: now,
    audio_blob: audio?.blob ?? null,
    ...(document.heard_sound?.unchecked && { checking: [...(request.transcriptions ?? [])] }),
    ...withFindings({}, document, inspection.found, { by: dictation.who, at: now }),
  };
}

/** Maximum length of a title (contract: RecordUpdate). */
const maxTitleLength = 200;

/** The exam's description, or else the template's title. */
export function chooseTitle(template: Template, exam: ExamContext | null): string {
  const title = exam?.exam_description.replace(/\s+/g, ' ').trim() || template.title;
  return title.length <= maxTitleLength
    ? title
    : `${title.slice(0, maxTitleLength - 1).replace(/(?<!\s)\s+\S*$/, '')}…`;
}
