/**
 * What servers of audio transcriptions can do, as data. A server that is in no line begins as the most able one, and loses
 * what it turns out not to do (endpoint.ts). All of them take WAV.
 */

/** How much an answer tells: words with times, segments with times, or the text alone. */
export type Detail = 'words' | 'segments' | 'text';

export interface Profile {
  readonly detail: Detail;
  /** Whether text comes back where both times and a language are asked for. The language is always asked for. */
  readonly timesWithLanguage: boolean;
  /** Tokens of a prompt; 0: takes none. */
  readonly promptTokens: number;
  /** Whether it takes a temperature. */
  readonly temperature: boolean;
  /** Whether it tells, beside the text, how likely each token is. */
  readonly likelihoods: boolean;
  /** Bytes of one request. */
  readonly bytes: number;
  /** Seconds of sound in one request. */
  readonly seconds: number;
  /** Requests that it works on at once. */
  readonly atOnce: number;
}

const MiB = 1024 * 1024;

/** As Whisper behind a server of OpenAI's API. */
const whisper: Profile = {
  detail: 'words',
  timesWithLanguage: true,
  promptTokens: 224,
  temperature: true,
  likelihoods: false,
  bytes: 25 * MiB,
  seconds: 120,
  atOnce: 4,
};

interface Row extends Partial<Profile> {
  /** The host or the model by which the server is known. */
  readonly host?: RegExp;
  readonly model?: RegExp;
}

const rows = {
  /** Answers in `json` only, with the likelihood of tokens. */
  'gpt-4o': { model: /^gpt-4o(?:-mini)?-transcribe/, detail: 'text', likelihoods: true },
  /** Says nothing where language and times are both asked for; its terms are no prompt. */
  mistral: { host: /(?:^|\.)mistral\.ai$/, timesWithLanguage: false, promptTokens: 0 },
  groq: { host: /(?:^|\.)groq\.com$/ },
  openai: { host: /(?:^|\.)openai\.com$/ },
  speaches: { atOnce: 2 },
  /** Segments without words, the length as a text, and null for what it does not know. */
  vllm: { detail: 'segments' },
  /** Words are null; some versions give nanoseconds. */
  localai: { detail: 'segments', atOnce: 1 },
  /** Works on one request at a time. */
  'whisper.cpp': { atOnce: 1 },
  /** No segments. */
  'llama.cpp': { detail: 'text', promptTokens: 0, atOnce: 1 },
  unknown: { atOnce: 2 },
} satisfies Readonly<Record<string, Row>>;
export type ProfileName = keyof typeof rows;
export const profileNames = Object.keys(rows) as ProfileName[];

/** The name of the profile by which a server is known: the first that fits. */
export function profileNameOf(url: string, model: string): ProfileName {
  const host = new URL(url).hostname;
  const known = profileNames.find((name) => {
    const row: Row = rows[name];
    return row.host?.test(host) === true || row.model?.test(model) === true;
  });
  return known ?? 'unknown';
}

export function profileOf(name: ProfileName): Profile {
  const { host: _host, model: _model, ...row }: Row = rows[name];
  return { ...whisper, ...row };
}

/** What is asked for: times only where a text comes with them. */
export const askedDetail = ({ detail, timesWithLanguage }: Profile): Detail => (timesWithLanguage ? detail : 'text');

const weaker: Readonly<Record<Detail, Detail | undefined>> = { words: 'segments', segments: 'text', text: undefined };

/** What a server that refused a request may still take; `undefined`: nothing is left to give up. */
export function lesserProfile(profile: Profile, refusal: string): Profile | undefined {
  const detail = weaker[profile.detail];
  if (/granularit/i.test(refusal) && profile.detail === 'words') return { ...profile, detail: 'segments' };
  if (/response_format|verbose_json/i.test(refusal) && profile.detail !== 'text') return { ...profile, detail: 'text' };
  if (/prompt/i.test(refusal) && profile.promptTokens > 0) return { ...profile, promptTokens: 0 };
  if (/temperature/i.test(refusal) && profile.temperature) return { ...profile, temperature: false };
  if (/include|logprob/i.test(refusal) && profile.likelihoods) return { ...profile, likelihoods: false };
  // The language is no field to give up: without it a model guesses, and may answer in another one.
  if (/language/i.test(refusal)) return undefined;
  if (profile.likelihoods) return { ...profile, likelihoods: false };
  if (detail) return { ...profile, detail };
  if (profile.temperature) return { ...profile, temperature: false };
  return profile.promptTokens > 0 ? { ...profile, promptTokens: 0 } : undefined;
}
