/**
 * Abilities of transcription servers, as data. An unknown server is first treated as the most able one; endpoint.ts
 * learns what it refuses. All accept WAV.
 */

/** Detail of a response: words with times, segments with times, or only text. */
export type Detail = 'words' | 'segments' | 'text';

export interface Profile {
  readonly detail: Detail;
  /** Whether times can be combined with a language. The report's is sent, except to see which one the server detects. */
  readonly timesWithLanguage: boolean;
  /** The language with which the server detects it. Absent: it does so if none is sent. */
  readonly anyLanguage?: string;
  /** Maximum length of a prompt in tokens; 0 if none is accepted. */
  readonly promptTokens: number;
  /** Whether a temperature is accepted. */
  readonly temperature: boolean;
  /** Whether token probabilities are returned. */
  readonly likelihoods: boolean;
  /** Maximum size of a request in bytes. */
  readonly bytes: number;
  /** Maximum length of audio per request. */
  readonly seconds: number;
  /** Concurrent requests. */
  readonly atOnce: number;
}

const MiB = 1024 * 1024;

/** Whisper behind a server of OpenAI's API. */
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
  /** A profile is selected by host or model. */
  readonly host?: RegExp;
  readonly model?: RegExp;
}

const rows = {
  /** Only `json`, with token probabilities. */
  'gpt-4o': { model: /^gpt-4o(?:-mini)?-transcribe/, detail: 'text', likelihoods: true },
  /** Returns no text if both language and times are requested; accepts terms, but not as a prompt. */
  mistral: { host: /(?:^|\.)mistral\.ai$/, timesWithLanguage: false, promptTokens: 0 },
  groq: { host: /(?:^|\.)groq\.com$/ },
  openai: { host: /(?:^|\.)openai\.com$/ },
  speaches: { atOnce: 2 },
  /** Segments without words, the length as a string, and null for unknown values. */
  vllm: { detail: 'segments' },
  /** Words are null; some versions return nanoseconds. */
  localai: { detail: 'segments', atOnce: 1 },
  /** One request at a time. Without a language it takes English. */
  'whisper.cpp': { atOnce: 1, anyLanguage: 'auto' },
  /** No segments. */
  'llama.cpp': { detail: 'text', promptTokens: 0, atOnce: 1 },
  unknown: { atOnce: 2 },
} satisfies Readonly<Record<string, Row>>;
export type ProfileName = keyof typeof rows;
export const profileNames = Object.keys(rows) as ProfileName[];

/** The first profile that matches. */
export function findProfileName(url: string, model: string): ProfileName {
  const host = new URL(url).hostname;
  const known = profileNames.find((name) => {
    const row: Row = rows[name];
    return row.host?.test(host) === true || row.model?.test(model) === true;
  });
  return known ?? 'unknown';
}

export function getProfile(name: ProfileName): Profile {
  const { host: _host, model: _model, ...row }: Row = rows[name];
  return { ...whisper, ...row };
}

/** Requests times only if they can be combined with the language. */
export const requestedDetail = ({ detail, timesWithLanguage }: Profile): Detail =>
  timesWithLanguage ? detail : 'text';

const weaker: Readonly<Record<Detail, Detail | undefined>> = { words: 'segments', segments: 'text', text: undefined };

/** The next profile to try after a refusal; `undefined` if nothing is left to drop. */
export function reduceProfile(profile: Profile, refusal: string): Profile | undefined {
  const detail = weaker[profile.detail];
  if (/granularit/i.test(refusal) && profile.detail === 'words') return { ...profile, detail: 'segments' };
  if (/response_format|verbose_json/i.test(refusal) && profile.detail !== 'text') return { ...profile, detail: 'text' };
  if (/prompt/i.test(refusal) && profile.promptTokens > 0) return { ...profile, promptTokens: 0 };
  if (/temperature/i.test(refusal) && profile.temperature) return { ...profile, temperature: false };
  if (/include|logprob/i.test(refusal) && profile.likelihoods) return { ...profile, likelihoods: false };
  // The language is never dropped: without it a model guesses and may answer in another one.
  if (/language/i.test(refusal)) return undefined;
  if (profile.likelihoods) return { ...profile, likelihoods: false };
  if (detail) return { ...profile, detail };
  if (profile.temperature) return { ...profile, temperature: false };
  return profile.promptTokens > 0 ? { ...profile, promptTokens: 0 } : undefined;
}
