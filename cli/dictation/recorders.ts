/**
 * Recording programs, as documented in their manuals: all write audio in the format of live transcriptions to standard
 * output.
 */
import { liveSampleRate } from '../../src/contract/transcription.ts';

export const recorderNames = ['arecord', 'sox', 'ffmpeg'] as const;
export type RecorderName = (typeof recorderNames)[number];

/** A recording program of one system. */
export interface Recorder {
  readonly program: RecorderName;
  readonly system: NodeJS.Platform;
  /** The program's arguments; `device` in the program's naming, `undefined` for the system default. */
  readonly words: (device: string | undefined) => readonly string[];
  /** Environment variables, if the device is not an argument. */
  readonly variables?: (device: string | undefined) => Readonly<Record<string, string>>;
  /** The command that lists the devices, if the program has no default device. */
  readonly needsDevice?: string;
}

const rate = String(liveSampleRate);

const split = (words: string): readonly string[] => words.split(' ');

/** ALSA's default device is PulseAudio or PipeWire where these run. Not quiet: that would hide a different rate. */
const arecord = (device: string | undefined): readonly string[] => [
  ...split(`-t raw -f S16_LE -r ${rate} -c 1`),
  ...(device === undefined ? [] : ['-D', device]),
];

const sox = {
  program: 'sox',
  words: () => split(`-q -d -t raw -r ${rate} -e signed-integer -b 16 -L -c 1 -`),
  variables: (device: string | undefined) => (device === undefined ? {} : { AUDIODEV: device }),
} as const;

/** `input`: the argument after `-i`. */
const ffmpeg = (format: string, input: (device: string | undefined) => string) => ({
  program: 'ffmpeg' as const,
  words: (device: string | undefined): readonly string[] => [
    ...split(`-hide_banner -nostdin -loglevel error -f ${format} -i`),
    input(device),
    ...split(`-ac 1 -ar ${rate} -f s16le -flush_packets 1 -`),
  ],
});
const byName = (device = 'default'): string => device;

/** In the order of attempts. */
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

/** How to install a recorder if there is none. */
export const installHints: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Install one: sudo apt install alsa-utils (arecord), or sox, or ffmpeg; names on other systems are similar.',
  darwin: 'Install one: brew install sox, or ffmpeg.',
  win32: 'Install one: winget install --id Gyan.FFmpeg, or --id ChrisBagwell.SoX.',
};
