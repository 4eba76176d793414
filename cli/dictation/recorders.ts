/** Programs that record, as their manuals have it: all give the sound of a live transcription on standard output. */
import { liveSampleRate } from '../../src/contract/transcription.ts';

export const recorderNames = ['arecord', 'sox', 'ffmpeg'] as const;
export type RecorderName = (typeof recorderNames)[number];

/** A way to record on one system. */
export interface Recorder {
  readonly program: RecorderName;
  readonly system: NodeJS.Platform;
  /** The program's arguments; `device` as the program names it, `undefined` for the system's own choice. */
  readonly words: (device: string | undefined) => readonly string[];
  /** Where the device is no argument. */
  readonly variables?: (device: string | undefined) => Readonly<Record<string, string>>;
  /** Command that lists the devices, where the program takes none of its own accord. */
  readonly needsDevice?: string;
}

const rate = String(liveSampleRate);

const split = (words: string): readonly string[] => words.split(' ');

/** ALSA's default device stands for PulseAudio or PipeWire where these run. Not quiet: it would hide another rate. */
const arecord = (device: string | undefined): readonly string[] => [
  ...split(`-t raw -f S16_LE -r ${rate} -c 1`),
  ...(device === undefined ? [] : ['-D', device]),
];

const sox = {
  program: 'sox',
  words: () => split(`-q -d -t raw -r ${rate} -e signed-integer -b 16 -L -c 1 -`),
  variables: (device: string | undefined) => (device === undefined ? {} : { AUDIODEV: device }),
} as const;

/** `input`: what stands behind `-i`. */
const ffmpeg = (format: string, input: (device: string | undefined) => string) => ({
  program: 'ffmpeg' as const,
  words: (device: string | undefined): readonly string[] => [
    ...split(`-hide_banner -nostdin -loglevel error -f ${format} -i`),
    input(device),
    ...split(`-ac 1 -ar ${rate} -f s16le -flush_packets 1 -`),
  ],
});
const byName = (device = 'default'): string => device;

/** In the order in which they are tried. */
export const recorders: readonly Recorder[] = [
  { system: 'linux', program: 'arecord', words: arecord },
  { system: 'linux', ...sox },
  { system: 'linux', ...ffmpeg('pulse', byName) },
  { system: 'linux', ...ffmpeg('alsa', byName) },
  { system: 'darwin', ...sox },
  { system: 'darwin', ...ffmpeg('avfoundation', (device = 'default') => `:${device}`) },
  { system: 'win32', ...sox },
  {
    system: 'win32',
    ...ffmpeg('dshow', (device) => `audio=${device}`),
    needsDevice: 'ffmpeg -list_devices true -f dshow -i dummy',
  },
];

/** What to type where no recorder is there. */
export const installHints: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Install one: sudo apt install alsa-utils (arecord), or sox, or ffmpeg; other systems name them alike.',
  darwin: 'Install one: brew install sox, or ffmpeg.',
  win32: 'Install one: winget install --id Gyan.FFmpeg, or --id ChrisBagwell.SoX.',
};
