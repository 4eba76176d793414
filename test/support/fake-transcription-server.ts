/**
 * A server of audio transcriptions whose dialect a test chooses. It really listens: a word is a tone, and what is answered are
 * the tones of the sound that was sent, with their times in it.
 */
import { startHttpServer } from './http-server.ts';
import type { Asked, Reply, TestServer } from './http-server.ts';
import { toneWords } from './tone-words.ts';
import type { ToneWord } from './tone-words.ts';

/** What a request asked for. */
export interface AskedSound {
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly fileName: string;
  readonly wav: Buffer;
  readonly samples: Float32Array;
  readonly words: readonly ToneWord[];
  readonly headers: Asked['headers'];
}

export interface FakeTranscriptionServer extends TestServer {
  /** How the server puts what it heard; `count` is 1 at the first request. */
  dialect: (asked: AskedSound, count: number) => Reply | Promise<Reply>;
  /** Answer to `GET /models`. */
  models: Reply;
  /** The sounds that were sent. */
  readonly sounds: AskedSound[];
}

const seconds = ({ samples }: AskedSound): number => samples.length / 16_000;
const textOf = (words: readonly ToneWord[]): string => words.map(({ text }) => text).join(' ');

/** As OpenAI's server answers with Whisper. */
export const verbose = (asked: AskedSound): Reply => ({
  body: {
    task: 'transcribe',
    language: 'portuguese',
    duration: seconds(asked),
    text: textOf(asked.words),
    words: asked.words.map(({ text, from, to }) => ({ word: text, start: from, end: to })),
    segments: asked.words.length === 0 ? [] : [segmentOf(asked.words)],
  },
});

export const segmentOf = (words: readonly ToneWord[]) => ({
  id: 0,
  start: words[0]!.from,
  end: words.at(-1)!.to,
  text: ` ${textOf(words)}`,
  avg_logprob: -0.1,
  no_speech_prob: 0.01,
});

export const plain = ({ words }: AskedSound): Reply => ({ body: { text: textOf(words) } });

export async function startTranscriptionServer(): Promise<FakeTranscriptionServer> {
  const sounds: AskedSound[] = [];
  const server = await startHttpServer(async (asked) => {
    if (asked.path === '/v1/models') return fake.models;
    if (asked.path !== '/v1/audio/transcriptions') return { status: 404, body: '404 page not found' };
    const sound = soundIn(asked);
    sounds.push(sound);
    return fake.dialect(sound, sounds.length);
  });
  const fake: FakeTranscriptionServer = {
    ...server,
    dialect: verbose,
    models: { body: { object: 'list', data: [{ id: 'whisper-1', object: 'model' }] } },
    sounds,
  };
  return fake;
}

/** Reads a form, as RFC 7578 has it. */
export function soundIn({ bytes, headers }: Asked): AskedSound {
  const [, boundary = ''] = /boundary=(.+)$/.exec(String(headers['content-type'])) ?? [];
  const fields: Record<string, string | string[]> = {};
  let [fileName, file] = ['', Buffer.alloc(0)];
  const body = bytes.toString('latin1');
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.slice(2, -2).split('\r\n\r\n');
    const content = Buffer.from(rest.join('\r\n\r\n'), 'latin1');
    const [, name = ''] = /name="([^"]*)"/.exec(head) ?? [];
    const [, given] = /filename="([^"]*)"/.exec(head) ?? [];
    if (given !== undefined) [fileName, file] = [given, content];
    else
      fields[name] = name.endsWith('[]')
        ? [...(fields[name] ?? []), content.toString('utf8')]
        : content.toString('utf8');
  }
  const samples = new Float32Array(Math.max(0, (file.length - 44) / 2));
  for (let at = 0; at < samples.length; at += 1) samples[at] = file.readInt16LE(44 + at * 2) / 32_768;
  return { fields, fileName, wav: file, samples, words: toneWords(samples), headers };
}
