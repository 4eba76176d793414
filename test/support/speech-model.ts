/** The recogniser `openai` before a server that a test chooses, with a clock that a test moves, and dictations of tones. */
import { Readable } from 'node:stream';
import { afterAll, beforeEach } from 'vitest';
import type { Recogniser, TranscribeInput } from '../../server/speech/recogniser.ts';
import { recognisers } from '../../server/speech/registry.ts';
import { encodeWav } from '../../server/speech/openai/recogniser/endpoint.ts';
import type { Choice } from '../../src/domain/choice.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { ManualClock } from '../../src/domain/clock.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';
import { engineDeps, openEngine } from './engine-deps.ts';
import { startTranscriptionServer, verbose } from './fake-transcription-server.ts';
import type { FakeTranscriptionServer } from './fake-transcription-server.ts';
import { saidInTones } from './tone-words.ts';
import type { ToneWord } from './tone-words.ts';
import { launchWavDecoder } from './wav-decoder.ts';

export interface SpeechModel {
  /** As a new one at the beginning of each test. */
  readonly server: FakeTranscriptionServer;
  readonly clock: ManualClock;
  readonly logged: object[];
  /** A recogniser with its options, besides model, url and key. */
  open(options?: Record<string, string | number | boolean>): Promise<Recogniser>;
  choose(choice: Choice): Promise<Recogniser>;
  /** As `open`, with the decoder that servers have. */
  openWithDecoder(): Promise<Recogniser>;
}

export async function speechModel(): Promise<SpeechModel> {
  const server = await startTranscriptionServer();
  const { models } = server;
  const clock = manualClock(0);
  const logged: object[] = [];
  const { launch, ...rest } = engineDeps();
  const deps = { ...rest, clock, log: (entry: object) => void logged.push(entry) };
  const opened: Recogniser[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((recogniser) => recogniser.close()));
    await server.close();
  });
  beforeEach(() => {
    Object.assign(server, { dialect: verbose, models });
    server.asked.length = 0;
    server.sounds.length = 0;
    logged.length = 0;
  });
  const choose = async (choice: Choice, decoder = launchWavDecoder): Promise<Recogniser> => {
    const recogniser = await openEngine('recogniser', recognisers, choice, { ...deps, launch: decoder });
    opened.push(recogniser);
    return recogniser;
  };
  const usual = (options: NonNullable<Choice['options']>): Choice => ({
    use: 'openai:whisper-1',
    // Tests that count requests hear each sound once.
    options: { url: `${server.url}/v1/`, twice: false, ...options },
    key: 'k3y-s3cret',
  });
  return {
    server,
    clock,
    logged,
    choose,
    open: (options = {}) => choose(usual(options)),
    openWithDecoder: () => choose(usual({}), launch),
  };
}

/** A dictation whose words are tones. */
export function dictated(words: readonly ToneWord[], seconds: number): TranscribeInput {
  const file = Buffer.from(encodeWav(saidInTones(words, seconds)));
  return {
    audio: { blob: 'b', bytes: file.length, sha256: 'a'.repeat(64), content_type: 'audio/wav', seconds },
    read: async () => Readable.from([file]),
    language: 'pt-BR',
    template: templateIn('pt-BR', 'chest_ct', shippedTemplates['chest_ct']!),
    exam: { patient_name: 'Maria Silva', modality: 'CT', exam_description: 'TC de tórax' },
    purpose: 'record',
  };
}

/** The words one after the other, each of 0.3 s, from second `from` on. */
export const spoken = (text: string, from = 1, gap = 0.2): ToneWord[] =>
  text.split(' ').map((word, at) => {
    const begun = from + at * (0.3 + gap);
    return { text: word, from: begun, to: begun + 0.3 };
  });
