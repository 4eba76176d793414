/**
 * The recogniser that sends audio to a transcription server. Silence is removed first, and hallucinations are kept
 * apart from the words.
 */
import { isLoopback } from '../../../../src/client/address.ts';
import { decodeSound } from '../../sound/decode.ts';
import { createSoundNotes } from '../../sound/sound-notes.ts';
import type { EngineDeps } from '../../engine.ts';
import type { ListenInput, Recogniser } from '../../recogniser.ts';
import { safeAddress, sendableKey } from '../address.ts';
import { hasModel } from '../service.ts';
import { withDeadline } from '../deadline.ts';
import type { Ear } from '../../hearing/ear.ts';
import { createEndpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { failure } from './failures.ts';
import { createListening, liveChunkMs } from '../../hearing/listen.ts';
import { createTranscription } from '../../hearing/transcribe.ts';
import { createOpenaiEar } from './openai-ear.ts';
import type { DictationContext } from './openai-ear.ts';
import { createFairPlaces } from '../../../runtime/queue/fair-places.ts';
import { summariseSecond } from '../../second-trial.ts';
import { soundRate } from '../../sound/samples.ts';
import type { RecogniserOptions } from './options.ts';
import { findProfileName, getProfile } from './profiles.ts';
import type { Profile } from './profiles.ts';
import { termsFor } from './terms.ts';
import { tryRecogniser } from './trials.ts';

type Work<T> = (signal: AbortSignal) => Promise<T>;

/** Bytes of a request without its audio. */
const formBytes = 16 * 1024;

/** CONFIGURATION if the address or the key is unusable. */
export function createOpenaiRecogniser(
  { model, timeout = 180, prompt = true, insecure = false, twice, doubt, second, ...given }: RecogniserOptions,
  { key: secret, clock, launch }: EngineDeps,
): Recogniser {
  const url = safeAddress('recogniser', given.url, insecure);
  const profileFor = (name: string): Profile => {
    const known = getProfile(given.profile ?? findProfileName(url, name));
    return prompt ? known : { ...known, promptTokens: 0 };
  };
  const key = sendableKey('recogniser', secret);
  const atOnce = given.at_once ?? profileFor(model).atOnce;
  const openEndpoint = (name: string): Endpoint =>
    createEndpoint({ url, model: name, key, clock, profile: profileFor(name) });
  const endpoint = openEndpoint(model);
  const other = second === undefined ? undefined : { model: second, endpoint: openEndpoint(second) };
  const timeoutMs = timeout * 1000;
  const places = createFairPlaces({ perLane: atOnce, total: atOnce });
  const createEar = (by: Endpoint): Ear<DictationContext> => {
    const { seconds, bytes } = by.profile;
    const limit = Math.min(given.seconds ?? seconds, Math.floor((bytes - formBytes) / (soundRate * 2)));
    return createOpenaiEar({ endpoint: by, places, clock, random: Math.random, timeoutMs, seconds: limit });
  };
  const ear = { ...createEar(endpoint), ...(other && { hearSecond: createEar(other.endpoint).hear }) };
  const hear = createTranscription(ear, { twice, doubt });
  const listen = createListening(ear, { twice, doubt });
  const chooseTerms = ({ exam, template, terms: vocabulary = [] }: Pick<ListenInput, 'exam' | 'template' | 'terms'>) =>
    termsFor({ exam, template, vocabulary }, endpoint.profile.promptTokens);
  const deadline = { ms: timeoutMs, clock, createError: () => failure('slow') };
  const { host, hostname } = new URL(url);
  return {
    name: 'openai',
    simulated: false,
    atOnce,
    ...(!isLoopback(hostname) && { sendsTo: host }),
    async probe(signal) {
      const models = await withDeadline(deadline, signal, (soon) => endpoint.models(soon));
      if (models && ![model, second ?? model].every((name) => hasModel(models, name))) throw failure('model');
    },
    async trials(signal) {
      const deps = { clock, timeoutMs, within: <T>(work: Work<T>) => withDeadline(deadline, signal, work) };
      const first = await tryRecogniser({ ...deps, endpoint, model });
      return other ? [...first, ...summariseSecond(await tryRecogniser({ ...deps, ...other }))] : first;
    },
    async transcribe({ audio, read, language, ...about }, signal) {
      signal.throwIfAborted();
      const notes = createSoundNotes();
      const deps = { launch, clock, onCut: notes.onCut };
      const sound = decodeSound({ type: audio.content_type, read }, deps, signal);
      return hear(sound, notes, { language, terms: chooseTerms(about) }, signal);
    },
    live: {
      chunkMs: liveChunkMs,
      async listen({ sound, language, ...about }, onHeard, signal) {
        signal.throwIfAborted();
        return listen(sound, { language, terms: chooseTerms(about) }, onHeard, signal);
      },
    },
    close: async () => void (await Promise.all([endpoint.close(), other?.endpoint.close()])),
  };
}
