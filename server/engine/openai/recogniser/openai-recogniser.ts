/**
 * The recogniser that sends sound to a server of audio transcriptions. Silence is cut off before, and what the model makes up
 * all the same is kept beside the words.
 */
import { isLoopback } from '../../../../src/client/address.ts';
import { boolean, integer, number, object, oneOf, string } from '../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../src/contract/schema.ts';
import { decodeSound } from '../../../sound/decode.ts';
import { engineKind } from '../../engine.ts';
import type { Recogniser } from '../../recogniser.ts';
import { safeAddress, sendableKey } from '../address.ts';
import { hasModel } from '../service.ts';
import { within } from '../within.ts';
import { createEndpoint } from './endpoint.ts';
import { failure } from './failures.ts';
import { createHear } from './hearing.ts';
import { soundRate } from '../../../sound/rate.ts';
import { createPlaces } from './places.ts';
import { profileNameOf, profileNames, profileOf } from './profiles.ts';
import { termsFor } from './terms.ts';
import { tryRecogniser } from './trials.ts';

const options = object(
  {
    model: string({ minLength: 1, maxLength: 200 }),
    url: string({ minLength: 1, maxLength: 500 }),
  },
  {
    /** Which server it is, where the address does not tell. */
    profile: oneOf(profileNames),
    /** Seconds for each request. */
    timeout: number({ minimum: 0.1, maximum: 600, default: 180 }),
    /** Requests at once. Default: as the profile says. */
    at_once: integer({ minimum: 1, maximum: 64 }),
    /** Seconds of sound in a request. Default: as the profile says. */
    seconds: integer({ minimum: 10, maximum: 600 }),
    /** Whether terms of the exam are sent. */
    prompt: boolean({ default: true }),
    /** Whether sound may go to another computer unencrypted. */
    insecure: boolean({ default: false }),
  },
);
type Options = TypeOf<typeof options>;

/** Bytes of a request besides its sound. */
const formBytes = 16 * 1024;

export const openaiRecogniser = engineKind<Recogniser, Options>({
  options,
  main: 'model',
  async create({ model, timeout = 180, prompt = true, insecure = false, ...given }, deps) {
    const { clock, launch } = deps;
    const url = safeAddress('recogniser', given.url, insecure);
    const known = profileOf(given.profile ?? profileNameOf(url, model));
    const profile = prompt ? known : { ...known, promptTokens: 0 };
    const key = sendableKey('recogniser', deps.key);
    const atOnce = given.at_once ?? profile.atOnce;
    const endpoint = createEndpoint({ url, model, key, clock, profile });
    const timeoutMs = timeout * 1000;
    const hear = createHear({
      endpoint,
      places: createPlaces(atOnce),
      clock,
      random: Math.random,
      timeoutMs,
      seconds: Math.min(given.seconds ?? profile.seconds, Math.floor((profile.bytes - formBytes) / (soundRate * 2))),
    });
    const deadline = { ms: timeoutMs, clock, late: () => failure('slow') };
    const { host, hostname } = new URL(url);
    return {
      name: 'openai',
      simulated: false,
      atOnce,
      ...(!isLoopback(hostname) && { sendsTo: host }),
      async probe(signal) {
        const models = await within(deadline, signal, (soon) => endpoint.models(soon));
        if (models && !hasModel(models, model)) throw failure('model');
      },
      trials: (signal) =>
        tryRecogniser({ endpoint, model, clock, timeoutMs, within: (work) => within(deadline, signal, work) }),
      async transcribe({ audio, read, language, exam, template, terms: vocabulary = [] }, signal) {
        signal.throwIfAborted();
        const terms = termsFor({ exam, template, vocabulary }, endpoint.profile.promptTokens);
        const sound = decodeSound({ type: audio.content_type, read }, { launch, clock }, signal);
        return hear(sound, { language, terms }, signal);
      },
      close: () => endpoint.close(),
    };
  },
});
