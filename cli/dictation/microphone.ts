/** Records from the microphone with a program of this computer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AppError } from '../../src/contract/errors.ts';
import { liveSampleBytes } from '../../src/contract/transcription.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { pause } from '../../src/domain/pause.ts';
import { installHints, recorders } from './recorders.ts';
import type { Recorder, RecorderName } from './recorders.ts';
import { elementAt } from '../../src/domain/elements.ts';

/** The requested microphone. */
export interface MicrophoneChoice {
  readonly recorder: RecorderName | undefined;
  /** The device's name for the recorder. */
  readonly device: string | undefined;
}

export interface MicrophoneDeps {
  readonly clock: Clock;
  readonly system: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives whole samples, piece by piece; a rejection ends the recording. */
  readonly onSound: (samples: Uint8Array) => Promise<void>;
}

/** A running recorder. */
export interface Microphone {
  readonly recorder: RecorderName;
  /** Stops the recorder; resolves once all of its audio was received. */
  stop(): Promise<void>;
  /** Resolves with the reason if the recording ends without `stop`. */
  readonly gone: Promise<AppError>;
}

/**
 * A recorder that produces no audio and does not exit within this many ms is considered waiting, for example for
 * permission.
 */
const patienceMs = 2000;
/** Milliseconds for a recorder to exit. */
const endingMs = 2000;

/** The possible recorders of this system. USAGE or CONFIGURATION if there are none. */
export function candidates(system: NodeJS.Platform, { recorder, device }: MicrophoneChoice): readonly Recorder[] {
  const found = recorders.filter(
    (each) => each.system === system && (recorder === undefined || each.program === recorder),
  );
  if (found.length === 0) {
    const here = [...new Set(recorders.filter((each) => each.system === system).map(({ program }) => program))];
    throw here.length === 0
      ? new AppError('CONFIGURATION', {
          message: 'Laudio supports no recording program on this system.',
          hint: sendFile,
        })
      : new AppError('USAGE', { message: `On this system --recorder takes ${here.join(' or ')}.` });
  }
  const usable = found.filter(({ needsDevice }) => device !== undefined || needsDevice === undefined);
  if (usable.length > 0) return usable;
  throw new AppError('USAGE', {
    message: `${elementAt(found, 0).program} needs --device NAME.`,
    hint: `List the names with: ${elementAt(found, 0).needsDevice}`,
  });
}

const sendFile = 'Use another program to record, and send the file: laudio record generate --audio FILE';

/** Starts the first working recorder. CONFIGURATION if none is installed, or none finds a microphone. */
export async function openMicrophone(deps: MicrophoneDeps, wanted: MicrophoneChoice): Promise<Microphone> {
  const failures = new Set<string>();
  for (const recorder of candidates(deps.system, wanted)) {
    const opened = await start(deps, recorder, wanted.device);
    if (typeof opened !== 'string') return opened;
    if (opened !== absent) failures.add(`${recorder.program}: ${opened}`);
  }
  if (failures.size > 0) {
    throw new AppError('CONFIGURATION', {
      message: `No microphone can be used (${[...failures].join('; ')}).`,
      hint: 'Check that one is plugged in, allowed and free, or choose another with --device NAME or --recorder NAME.',
    });
  }
  throw new AppError('CONFIGURATION', {
    message:
      wanted.recorder === undefined ? 'No recording program is installed.' : `${wanted.recorder} is not installed.`,
    hint: installHints[deps.system] ?? sendFile,
  });
}

const absent = 'is not installed';

/** The recorder once it records; otherwise the reason for its failure. */
async function start(
  { clock, env, onSound }: MicrophoneDeps,
  { program, words, variables }: Recorder,
  device: string | undefined,
): Promise<Microphone | string> {
  const child = spawn(program, words(device), {
    // The recorder needs no token, and its messages are parsed below.
    env: { ...withoutOurs(env), ...variables?.(device), LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C at the terminal is for Laudio, which stops the recorder in order.
    detached: true,
    windowsHide: true,
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  let isStopping = false;
  let failure: unknown;
  child.on('error', (error) => (failure = error));
  const first = Promise.withResolvers<void>();

  async function take(): Promise<void> {
    let rest: Uint8Array = new Uint8Array();
    for await (const chunk of child.stdout) {
      first.resolve();
      const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
      const whole = bytes.length - (bytes.length % liveSampleBytes);
      rest = bytes.subarray(whole);
      if (whole > 0) await onSound(bytes.subarray(0, whole));
    }
  }
  const closed = once(child, 'close').catch(() => undefined);
  const over = take()
    .catch((error: unknown) => {
      failure ??= error;
      kill();
    })
    .then(() => closed)
    .finally(() => process.off('exit', kill));

  const lastWords = (): string => {
    if (Object(failure).code === 'ENOENT') return absent;
    if (failure) return failure instanceof Error ? failure.message : 'it failed';
    const line = said.split('\n').findLast((each) => each.trim() !== '');
    return line?.trim() ?? `it ended with ${child.signalCode ?? child.exitCode ?? 'no message'}`;
  };
  const stop = async (): Promise<void> => {
    isStopping = true;
    child.kill('SIGTERM');
    const callOff = clock.schedule(clock.now() + endingMs, kill);
    await over.finally(callOff);
  };

  const begun = await Promise.race([first.promise.then(() => true), over.then(() => false), within(clock, patienceMs)]);
  if (!begun) return lastWords();
  if (/rate is not accurate/.test(said)) {
    await stop();
    return `the device does not record ${words(device)[5]} samples per second; use plughw: instead of hw: in --device`;
  }
  return {
    recorder: program,
    stop,
    gone: new Promise((resolve) => {
      void over.then(() => {
        if (isStopping) return;
        resolve(
          failure instanceof AppError
            ? failure
            : new AppError('PARTIAL', { message: `The recording ended unexpectedly (${program}: ${lastWords()}).` }),
        );
      });
    }),
  };
}

const within = (clock: Clock, ms: number): Promise<true> => pause(clock, ms).then(() => true as const);

const withoutOurs = (env: MicrophoneDeps['env']): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('LAUDIO_')));
