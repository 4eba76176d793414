/** The microphone: asks for permission, collects audio in blocks, and reports when the device is gone. */
import { blockMs as longestBlockMs } from '../../bridge/sound.ts';
import type { CapturedBlock, CaptureMessage } from './capture-processor.ts';
import processorAddress from './capture-processor.ts?worker&url';

/**
 * A sample rate that is sufficient for speech and common among recognisers. A browser that refuses it uses its own
 * rate.
 */
const speechRate = 16_000;
/** Short enough to leave time for disk and network within the maximum block that may be lost. */
export const captureBlockMs = Math.min(60, longestBlockMs);

/**
 * Why there is no microphone. `unanswered`: nobody has answered the browser's question; `silent`: the browser has the
 * microphone but delivers no audio.
 */
export type MicrophoneProblem = 'denied' | 'missing' | 'busy' | 'insecure' | 'unanswered' | 'silent';

export interface MicrophoneListener {
  block(block: CapturedBlock): void;
  /** The device was unplugged or taken by another program; no audio follows. */
  ended(): void;
  /** The system or a switch on the device has muted the microphone. */
  muted(isMuted: boolean): void;
}

/** An open microphone. */
export interface Microphone {
  readonly label: string;
  readonly sampleRate: number;
  /** Passes blocks to the listener from now on. */
  start(listener: MicrophoneListener): Promise<void>;
  /** Stops. All audio so far has been delivered when this resolves. */
  stop(): Promise<void>;
  close(): Promise<void>;
  /** Sounds a short alarm, for a person who looks at images and not at the recorder. */
  beep(): void;
}

export type OpenMicrophone = (wanted: {
  /** Device id; `null`: the system default. */
  readonly device: string | null;
  /** Sample rate of the dictation to continue; `null`: the rate for speech. */
  readonly sampleRate: number | null;
  /** Called as soon as permission is granted, which is before the microphone is open. */
  readonly allowed?: () => void;
}) => Promise<Microphone>;

/** Thrown by `OpenMicrophone`. */
export interface MicrophoneFailure {
  readonly microphone: MicrophoneProblem;
}

export const isMicrophoneFailure = (error: unknown): error is MicrophoneFailure =>
  typeof error === 'object' && error !== null && 'microphone' in error;

/** The names of `getUserMedia`'s errors (Media Capture and Streams 10.2). */
const problemOf: Readonly<Record<string, MicrophoneProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'insecure',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

export const microphoneFailure = (microphone: MicrophoneProblem): MicrophoneFailure => ({ microphone });

async function openStream(device: string | null): Promise<MediaStream> {
  // Browsers hide microphones from pages loaded over plain HTTP from another computer.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) throw microphoneFailure('insecure');
  const constraints = {
    channelCount: 1,
    // These filters are made for phone calls and remove the beginnings of words, which a recogniser needs.
    echoCancellation: false,
    noiseSuppression: false,
    autoGainControl: true,
  };
  try {
    const exact = device === null ? {} : { deviceId: { exact: device } };
    return await devices.getUserMedia({ audio: { ...constraints, ...exact } });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    // The chosen device is not plugged in: the recorder uses another device and shows which one.
    if (device !== null && problemOf[name] === 'missing') return openStream(null);
    throw microphoneFailure(problemOf[name] ?? 'busy');
  }
}

async function openGraph(stream: MediaStream, sampleRate: number | null) {
  const connect = async (context: AudioContext) => {
    const source = context.createMediaStreamSource(stream);
    await context.audioWorklet.addModule(processorAddress);
    const node = new AudioWorkletNode(context, 'laudio-capture', {
      numberOfInputs: 1,
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions: { blockMs: captureBlockMs },
    });
    return { context, source, node };
  };
  const wanted = new AudioContext({ sampleRate: sampleRate ?? speechRate, latencyHint: 'interactive' });
  try {
    return await connect(wanted);
  } catch (error) {
    await wanted.close();
    // A browser may refuse a rate other than that of the device; a continued dictation keeps its rate.
    if (sampleRate !== null) throw error;
    return connect(new AudioContext({ latencyHint: 'interactive' }));
  }
}

/** Whether the browser will not ask the person. A browser that doesn't report this may ask. */
async function isAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state === 'granted';
  } catch {
    return false;
  }
}

/** Sounds a short alarm when no microphone is open. */
export function soundAlarm(): void {
  const context = new AudioContext();
  beepIn(context);
  setTimeout(() => void context.close(), 1000);
}

function beepIn(context: AudioContext): void {
  const gain = context.createGain();
  const tone = context.createOscillator();
  tone.frequency.value = 740;
  const { currentTime } = context;
  gain.gain.setValueAtTime(0, currentTime);
  for (const at of [0, 0.22]) {
    gain.gain.linearRampToValueAtTime(0.25, currentTime + at + 0.02);
    gain.gain.setValueAtTime(0.25, currentTime + at + 0.12);
    gain.gain.linearRampToValueAtTime(0, currentTime + at + 0.16);
  }
  tone.connect(gain).connect(context.destination);
  tone.start();
  tone.stop(currentTime + 0.5);
}

/**
 * Opens the microphone, for which the browser may ask the person; throws `MicrophoneFailure`. A browser may leave any
 * step unanswered: callers add timeouts (`addTimeouts`).
 */
export const openMicrophone: OpenMicrophone = async ({ device, sampleRate, allowed }) => {
  void isAllowed().then((isSo) => isSo && allowed?.());
  const stream = await openStream(device);
  allowed?.();
  const track = stream.getAudioTracks()[0];
  if (!track) throw microphoneFailure('missing');
  const { context, source, node } = await openGraph(stream, sampleRate).catch((error: unknown) => {
    track.stop();
    throw error;
  });
  let listener: MicrophoneListener | undefined;
  let flushed: (() => void) | undefined;
  node.port.addEventListener('message', ({ data }: MessageEvent<CaptureMessage>) => {
    if (data === 'flushed') flushed?.();
    else listener?.block(data);
  });
  node.port.start();
  track.addEventListener('ended', () => listener?.ended());
  track.addEventListener('mute', () => listener?.muted(true));
  track.addEventListener('unmute', () => listener?.muted(false));
  return {
    label: track.label,
    sampleRate: context.sampleRate,
    async start(to) {
      listener = to;
      source.connect(node);
      await context.resume();
      // The listener may be gone by then.
      if (track.readyState === 'ended') listener?.ended();
      else if (track.muted) listener?.muted(true);
    },
    async stop() {
      source.disconnect();
      // A dead thread never answers; the audio that it held is lost in any case.
      await Promise.race([
        new Promise<void>((resolve) => {
          flushed = resolve;
          node.port.postMessage('flush');
        }),
        new Promise((resolve) => setTimeout(resolve, 500)),
      ]);
      listener = undefined;
    },
    async close() {
      track.stop();
      node.port.close();
      if (context.state !== 'closed') await context.close();
    },
    beep: () => beepIn(context),
  };
};
