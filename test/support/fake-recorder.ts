/**
 * Programs that record, as a person has them on the PATH: they take the arguments of arecord, sox and ffmpeg and nothing
 * else, play a WAV file as fast as it is taken, and then wait in silence until a signal ends them, as the real ones do.
 */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { wavHead } from '../../src/domain/dictation/wav.ts';
import { tones } from './sound.ts';

export interface Playing {
  /** Tones of 0.4 s, by number; `null` is digital silence. */
  readonly tones?: readonly (number | null)[];
  /** It says this and ends before it gives any sound. */
  readonly fails?: string;
  /** It says this and ends after the sound. */
  readonly dies?: string;
}

/** How a recorder was called. */
export interface Called {
  readonly program: string;
  readonly words: readonly string[];
  readonly device: string | null;
  readonly secrets: readonly string[];
}

export interface FakeRecorders {
  /** The variables of a shell that has these programs, and no other recorder. */
  readonly env: NodeJS.ProcessEnv;
  called(): Promise<readonly Called[]>;
}

const forms: Readonly<Record<string, RegExp>> = {
  arecord: /^-t raw -f S16_LE -r 16000 -c 1( -D \S+)?$/,
  sox: /^-q -d -t raw -r 16000 -e signed-integer -b 16 -L -c 1 -$/,
  ffmpeg: /^-hide_banner -nostdin -loglevel error -f (pulse|alsa) -i \S+ -ac 1 -ar 16000 -f s16le -flush_packets 1 -$/,
};

const script = (sound: string, log: string, { fails, dies }: Playing): string => `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const program = require('node:path').basename(__filename);
const words = process.argv.slice(2);
const secrets = Object.keys(process.env).filter((name) => name.startsWith('LAUDIO_'));
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ program, words, device: process.env.AUDIODEV ?? null, secrets }) + '\\n');
const forms = { ${Object.entries(forms)
  .map(([name, form]) => `${name}: ${form}`)
  .join(', ')} };
const end = (said, code) => {
  process.stderr.write(said + '\\n');
  process.stdout.end(() => process.exit(code));
};
if (!forms[program].test(words.join(' '))) end(program + ': unrecognized option', 1);
else if (${JSON.stringify(fails ?? null)} !== null) end(${JSON.stringify(fails ?? '')}, 1);
else {
  process.on('SIGTERM', () => end('Aborted by signal Terminated...', 1));
  process.stdout.on('error', () => process.exit(1));
  process.stderr.write("Recording raw data 'stdin' : Signed 16 bit Little Endian, Rate 16000 Hz, Mono\\n");
  const sound = readFileSync(${JSON.stringify(sound)}).subarray(44);
  // An odd number of bytes at a time, as a pipe may have it.
  for (let at = 0; at < sound.length; at += 3201) process.stdout.write(sound.subarray(at, at + 3201));
  if (${JSON.stringify(dies ?? null)} !== null) end(${JSON.stringify(dies ?? '')}, 1);
  else setInterval(() => {}, 1 << 30);
}
`;

/** Puts the programs into a directory of their own below `directory`. */
export async function fakeRecorders(
  directory: string,
  programs: Readonly<Record<string, Playing>>,
): Promise<FakeRecorders> {
  const bin = join(directory, 'bin');
  const log = join(directory, 'called');
  await mkdir(bin, { recursive: true });
  await writeFile(log, '');
  for (const [name, playing] of Object.entries(programs)) {
    const samples = Int16Array.from(tones(playing.tones ?? []), (sample) => Math.round(sample * 0x7fff));
    const bytes = Buffer.from(samples.buffer);
    const sound = join(directory, `${name}.wav`);
    await writeFile(sound, Buffer.concat([wavHead({ rate: 16_000, bytes: bytes.length }), bytes]));
    await writeFile(join(bin, name), script(sound, log, playing));
    await chmod(join(bin, name), 0o755);
  }
  return {
    // A shell needs its own programs, but not those of this machine that record.
    env: { PATH: [bin, '/nowhere'].join(delimiter) },
    called: async () =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Called),
  };
}
