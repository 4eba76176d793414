/** A service as data: its command line, account and writable directories. Each manager has another file format for it. */
import type { SystemDirectories } from '../../../src/node/paths.ts';

/** An option of `laudio serve`, as the service starts it. */
export interface ServeWord {
  /** With its dashes. */
  readonly option: string;
  readonly value?: string;
  /** Whether the value names a file with a secret, which nobody but the administrator needs to read. */
  readonly isSecretFile?: true;
}

export interface Service {
  /** The program with its first words. */
  readonly program: readonly string[];
  readonly words: readonly ServeWord[];
  /** The account that it runs as. `undefined`: it is the service of one user. */
  readonly account: string | undefined;
  /** `undefined`: those of the user. */
  readonly directories: SystemDirectories | undefined;
  /** Its data directory. */
  readonly data: string;
  /** Other directories that it writes to. */
  readonly writable: readonly string[];
}

/** The account of a service of the whole computer, unless the operator names another. */
export const defaultAccount = 'laudio';

/** The variables by which the program finds the places. */
export const placeVariables = ({ home, data, state, config }: SystemDirectories): Readonly<Record<string, string>> => ({
  HOME: home,
  LAUDIO_DATA_DIR: data,
  LAUDIO_STATE_DIR: state,
  LAUDIO_CONFIG_DIR: config,
});

/** The command line, with files of secrets where the operator keeps them. */
export const commandLine = ({ program, words }: Service): readonly string[] => [
  ...program,
  'serve',
  ...words.flatMap(({ option, value }) => (value === undefined ? [option] : [option, value])),
];

/** The first line of a file that `laudio service` may replace or remove. */
export const mark = 'Written by "laudio service install": another install replaces it.';
