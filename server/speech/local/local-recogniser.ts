/**
 * The recogniser on this computer, with a model on disk: `local:MODEL`. A separate process loads the model on first
 * use. Audio is cut at silences, and silence is never sent to the model.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { decodeSound } from '../sound/decode.ts';
import { createSoundNotes } from '../sound/sound-notes.ts';
import { readSentence } from '../sound/spoken/sentences.ts';
import type { EngineDeps, Trial } from '../engine.ts';
import type { LiveRecogniser, Recogniser } from '../recogniser.ts';
import { hasPart, withoutPart } from '../../../src/node/optional-packages.ts';
import { catalogue } from './catalogue.ts';
import type { LocalOptions } from './options.ts';
import { createLiveTranscription } from './live-transcription.ts';
import { createLocalEar } from './local-ear.ts';
import type { LocalEar } from './local-ear.ts';
import { estimateMemory } from './memory.ts';
import { createLoadError } from './model-failures.ts';
import { createModelProcess } from './model-process.ts';
import type { ModelProcess } from './model-process.ts';
import { toLoadFailure, verifyModel } from './model-files.ts';
import { readModel } from './models.ts';
import type { InstalledModel } from './models.ts';
import { joinTokens } from './words.ts';
import { summariseSecond } from '../second-trial.ts';
import { judgeSentences } from '../try-sentences.ts';
import { createTranscription } from '../hearing/transcribe.ts';
import { createListening, liveChunkMs } from '../hearing/listen.ts';
import type { HearingOptions } from '../hearing/piece-hearing.ts';

/** Rejects with CONFIGURATION if the model or the optional package is not installed. */
export async function createLocalRecogniser(
  { model: id, threads = chooseThreads(), idle = 600, preload = false, models, twice, doubt, second }: LocalOptions,
  deps: EngineDeps,
): Promise<Recogniser> {
  const base = models ?? (deps.dataDir === undefined ? undefined : join(deps.dataDir, 'models'));
  if (!hasPart('models')) throw withoutPart('models', 'CONFIGURATION');
  if (base === undefined) throw notInstalled(id);
  const readInstalled = async (name: string): Promise<InstalledModel> => {
    const installed = await readModel(base, name);
    if (!installed) throw notInstalled(name);
    return installed;
  };
  const model = await readInstalled(id);
  const other = second === undefined ? undefined : await readInstalled(second);
  const { languages, live, chunk_ms: chunkMs } = model.manifest;
  const start = (of: InstalledModel, memory: number): ModelProcess =>
    createModelProcess({ ...deps, model: of, threads, idleMs: idle * 1000, memory });
  const process = start(model, deps.memory);
  const otherProcess = other && start(other, deps.memory - estimateMemory(model.manifest));
  const used = [id, ...(second === undefined ? [] : [second])];
  const ear = createEar(process, otherProcess, other?.manifest.languages);
  const processes = [process, ...(otherProcess ? [otherProcess] : [])];
  const options = { twice, doubt };
  const check = (language: Language): void => {
    if (!languages.includes(language)) throw otherLanguage(id, language);
  };
  return {
    name: `local:${id}`,
    models: used,
    simulated: false,
    // One is decoded while the other is transcribed.
    atOnce: 2,
    probe: async (signal) => {
      signal.throwIfAborted();
      for (const name of used) {
        const present = await readModel(base, name);
        if (!present) throw unavailable(name);
        const verdict = await verifyModel(present);
        if (verdict !== 'whole') throw createLoadError(name, toLoadFailure(verdict));
      }
      for (const each of processes) each.requireMemory();
    },
    ...(preload && { warmUp: () => void process.load().catch(() => {}) }),
    trials: async (signal) => [
      ...(await tryModel(process, model, deps.clock, signal)),
      ...(other && otherProcess ? summariseSecond(await tryModel(otherProcess, other, deps.clock, signal)) : []),
    ],
    close: async () => void (await Promise.all(processes.map((each) => each.close()))),
    transcribe: createTranscribe(ear, deps, options, check),
    live: live
      ? { chunkMs, listen: createLiveTranscription(process, ear, options, check) }
      : { chunkMs: liveChunkMs, listen: createListen(ear, options, check) },
  };
}

/** Tests whether the files are intact, whether the addon loads them, what the model hears, and whether it works live. */
async function tryModel(
  process: ModelProcess,
  { manifest }: InstalledModel,
  clock: Clock,
  signal: AbortSignal,
): Promise<Trial[]> {
  const begun = clock.now();
  let loadedMs: number;
  const heard: [Language, string][] = [];
  try {
    await process.load();
    loadedMs = clock.now() - begun;
    for (const language of manifest.languages) {
      const tokens = await process.decode(readSentence(language), language, signal);
      heard.push([
        language,
        joinTokens(tokens)
          .map(({ text }) => text)
          .join(' '),
      ]);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error;
    return [{ what: 'model', result: 'fails', message, ...(hint !== undefined && { hint }) }];
  }
  const hears = `The model hears ${manifest.languages.join(', ')}`;
  return [
    { what: 'model', result: 'works', message: 'Its files match its manifest, and it loads.', ms: loadedMs },
    { what: 'speech', ...judgeSentences(heard) },
    manifest.live
      ? { what: 'live', result: 'works', message: `${hears}, also live.` }
      : { what: 'live', result: 'works', message: `${hears}, also live, at pauses.` },
  ];
}

/** The other model hears a second time what is in one of its languages. */
function createEar(
  process: ModelProcess,
  other: ModelProcess | undefined,
  languages: readonly Language[] = [],
): LocalEar {
  const ear = createLocalEar(process);
  const second = other && createLocalEar(other);
  return {
    ...ear,
    ...(second && {
      hearSecond: (stretch, context, signal) =>
        (languages.includes(context.language) ? second : ear).hear(stretch, context, signal),
    }),
  };
}

const chooseThreads = (): number => Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

function createTranscribe(
  ear: LocalEar,
  deps: Pick<EngineDeps, 'launch' | 'clock'>,
  options: HearingOptions,
  check: (language: Language) => void,
): Recogniser['transcribe'] {
  const hear = createTranscription(ear, options);
  return async ({ audio, read, language }, signal) => {
    signal.throwIfAborted();
    check(language);
    const context = { language, sha256: audio.sha256 };
    ear.check(context);
    const notes = createSoundNotes();
    const sound = decodeSound({ type: audio.content_type, read }, { ...deps, onCut: notes.onCut }, signal);
    return hear(sound, notes, context, signal);
  };
}

function createListen(
  ear: LocalEar,
  options: HearingOptions,
  check: (language: Language) => void,
): LiveRecogniser['listen'] {
  const listen = createListening(ear, options);
  return async ({ sound, language }, onHeard, signal) => {
    signal.throwIfAborted();
    check(language);
    return listen(sound, { language }, onHeard, signal);
  };
}

const otherLanguage = (id: string, language: Language): AppError =>
  validationFailed(
    [{ field: 'language', message: `the speech model ${id} does not support ${language}`, code: 'INVALID_VALUE' }],
    `The speech model ${id} does not support ${language}. Choose another language, or a model that supports it.`,
  );

const notInstalled = (id: string): AppError =>
  new AppError('CONFIGURATION', {
    message: `The speech model ${id} is not installed.`,
    hint: howToInstall(id),
    details: { setting: 'recogniser' },
  });

const unavailable = (id: string): AppError =>
  new AppError('ENGINE_UNAVAILABLE', { message: `The speech model ${id} is gone.`, hint: howToInstall(id) });

function howToInstall(id: string): string {
  const offered = findEntry(catalogue, id);
  return offered
    ? `Fetch it (${Math.round(offered.archive.bytes / 1e6)} MB): laudio engine pull ${id}${offered.archive.sha256 === undefined ? ' --sha256 HEX' : ''}`
    : 'See `laudio engine list`; install your own model with laudio engine pull --from.';
}
