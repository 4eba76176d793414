/** Measures a recogniser on audio files, without a server. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { AudioType } from '../../src/contract/document.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';
import type { LaunchProcess } from '../runtime/processes/own-process.ts';
import { decodeSound } from './sound/decode.ts';
import { soundRate } from './sound/samples.ts';
import { withDetectedType } from './audio-content.ts';
import type { EngineDeps, OpenEngine } from './engine.ts';
import type { Recogniser } from './recogniser.ts';

export interface Measurement {
  readonly heard: HeardText;
  /** Length of the audio. */
  readonly seconds: number;
  /** ms from the file to the text, including decoding. */
  readonly ms: number;
}

export interface Bench {
  readonly name: string;
  /** The host that receives the audio; `undefined` if it stays on this computer. */
  readonly sendsTo: string | undefined;
  /** Rejects as a request with this audio would. */
  hear(path: string, language: Language, signal: AbortSignal): Promise<Measurement>;
  /** Peak memory of this process and the engine's processes in bytes; `undefined` if the system doesn't report it. */
  memory(): number | undefined;
}

/** Opens the recogniser while `work` runs. */
export async function openBench<T>(
  open: OpenEngine<Recogniser>,
  deps: Omit<EngineDeps, 'key'>,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const memory = watchMemory(deps);
  const own = { ...deps, launch: memory.launch };
  const recogniser = await open(own);
  try {
    return await work({
      name: recogniser.name,
      sendsTo: recogniser.sendsTo,
      hear: (path, language, signal) => hear(recogniser, own, path, language, signal),
      memory: memory.peak,
    });
  } finally {
    memory.end();
    await recogniser.close();
  }
}

async function hear(
  recogniser: Recogniser,
  deps: Omit<EngineDeps, 'key'>,
  path: string,
  language: Language,
  signal: AbortSignal,
): Promise<Measurement> {
  const read = async () => createReadStream(path);
  const { type, sha256, bytes } = await inspectFile(path);
  let samples = 0;
  for await (const piece of decodeSound({ type, read }, deps, signal)) samples += piece.length;
  const seconds = samples / soundRate;
  const started = deps.clock.elapsed();
  const heard = await recogniser.transcribe(
    {
      audio: { blob: 'bench', bytes, sha256, content_type: type, seconds },
      read,
      language,
      template: templateIn(language, ...usualTemplate),
      exam: null,
      purpose: 'record',
    },
    signal,
  );
  return { heard, seconds, ms: deps.clock.elapsed() - started };
}

const [usualTemplate] = Object.entries(shippedTemplates) as [
  [string, (typeof shippedTemplates)[keyof typeof shippedTemplates]],
];

async function inspectFile(path: string): Promise<{ type: AudioType; sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  const detected = Promise.withResolvers<AudioType>();
  for await (const bytes of withDetectedType(createReadStream(path), detected.resolve)) hash.update(bytes);
  return { type: await detected.promise, sha256: hash.digest('hex'), bytes: (await stat(path)).size };
}

/** ms between two samples. */
const interval = 250;

/** Samples the memory of this process and of those that it launches. */
function watchMemory({ launch: start }: Pick<EngineDeps, 'launch'>) {
  const pids = new Set<number>();
  let peak: number | undefined;
  const launch: LaunchProcess = (module, options) => {
    const started = start(module, options);
    const { pid } = started;
    if (pid !== undefined) {
      pids.add(pid);
      void started.ended.then(() => pids.delete(pid));
    }
    return started;
  };
  const sample = async (): Promise<void> => {
    let all = process.memoryUsage.rss();
    for (const bytes of await Promise.all([...pids].map(residentBytes))) {
      if (bytes === undefined) return;
      all += bytes;
    }
    peak = Math.max(peak ?? 0, all);
  };
  const timer = setInterval(() => void sample(), interval);
  return { launch, peak: () => peak, end: () => clearInterval(timer) };
}

/** Resident pages of 4 KiB. Only Linux reports them without another program. */
const residentBytes = (pid: number): Promise<number | undefined> =>
  readFile(`/proc/${pid}/statm`, 'utf8').then(
    (text) => Number(text.split(' ')[1]) * 4096,
    () => undefined,
  );
