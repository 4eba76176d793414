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
import { createEndpoint } from './endpoint.ts';
import { failure } from './failures.ts';
import { createListening, liveChunkMs } from '../../hearing/listen.ts';
import { createTranscription } from '../../hearing/transcribe.ts';
import { createOpenaiEar } from './openai-ear.ts';
import { createFairPlaces } from '../../../runtime/queue/fair-places.ts';
import { soundRate } from '../../sound/samples.ts';
import type { RecogniserOptions } from './options.ts';
import { findProfileName, getProfile } from './profiles.ts';
import { termsFor } from './terms.ts';
import { tryRecogniser } from './trials.ts';

/** Bytes of a request without its audio. */
const formBytes = 16 * 1024;

/** CONFIGURATION if the address or the key is unusable. */
export function createOpenaiRecogniser(
  { model, timeout = 180, prompt = true, insecure = false, twice, doubt, ...given }: RecogniserOptions,
  { key: secret, clock, launch }: EngineDeps,
): Recogniser {
  const url = safeAddress('recogniser', given.url, insecure);
  const known = getProfile(given.profile ?? findProfileName(url, model));
  const profile = prompt ? known : { ...known, promptTokens: 0 };
  const key = sendableKey('recogniser', secret);
  const atOnce = given.at_once ?? profile.atOnce;
  const endpoint = createEndpoint({ url, model, key, clock, profile });
  const timeoutMs = timeout * 1000;
  const ear = createOpenaiEar({
    endpoint,
    places: createFairPlaces({ perLane: atOnce, total: atOnce }),
    clock,
    random: Math.random,
    timeoutMs,
    seconds: Math.min(given.seconds ?? profile.seconds, Math.floor((profile.bytes - formBytes) / (soundRate * 2))),
  });
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
      if (models && !hasModel(models, model)) throw failure('model');
    },
    trials: (signal) =>
      tryRecogniser({ endpoint, model, clock, timeoutMs, within: (work) => withDeadline(deadline, signal, work) }),
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
    close: () => endpoint.close(),
  };
}
