/** Makes the service of the options of `laudio service install`. */
import { dirname, isAbsolute, resolve } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { systemDirectories } from '../../../src/node/paths.ts';
import { kebab } from '../../command.ts';
import type { Option } from '../../command.ts';
import type { Context } from '../../context.ts';
import { programEntry } from '../../shell/program-entry.ts';
import { defaultPort } from '../serving-process.ts';
import { isInside } from '../inside.ts';
import type { Service, ServeWord } from './service.ts';

/** Choices that `laudio serve` does not have. */
export interface ServiceChoice {
  readonly isUser: boolean;
  readonly account: string;
  readonly writable: readonly string[];
  readonly platform: NodeJS.Platform;
}

const pathPlaceholders: ReadonlySet<string> = new Set(['FILE', 'DIR', 'PLACE']);

/** An option that takes a path of this computer; an address or `-` stays as it is. */
const isPath = ({ placeholder }: Option, value: string): boolean =>
  pathPlaceholders.has(placeholder ?? '') && value !== '-' && !/^[a-z][a-z0-9+]+:/i.test(value);

/** The server's directory is not that of the person who installs it, so that paths become absolute. */
export function serveWords(
  options: Readonly<Record<string, Option>>,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): ServeWord[] {
  return Object.entries(options).flatMap(([name, option]): ServeWord[] => {
    const given = input[name];
    const spelled = `--${kebab(name)}`;
    if (given === undefined || given === false) return [];
    if (given === true) return [{ option: spelled }];
    return [given].flat().map((each) => {
      const text = String(each);
      const value = isPath(option, text) ? resolve(cwd, text) : text;
      return { option: spelled, value, ...(name.endsWith('File') && { isSecretFile: true as const }) };
    });
  });
}

/** USAGE or CONFIGURATION for a choice with which the service could not start. */
export function planService(
  { settings, origins, paths, cwd }: Context,
  given: readonly ServeWord[],
  { isUser, account, writable, platform }: ServiceChoice,
): Service {
  const value = (option: string) => given.find((each) => each.option === option)?.value;
  // A port that may be another one at the next start is of no use to anybody.
  const words = value('--port') === undefined ? [{ option: '--port', value: String(defaultPort) }, ...given] : given;
  const chosen = origins.data_dir.from === 'flag' ? settings.data_dir : undefined;
  const program = [process.execPath, programEntry()];
  const logFile = value('--log');
  const backups = value('--backup-to');
  const places = [
    ...writable.map((each) => resolve(cwd, each)),
    ...(backups !== undefined && isAbsolute(backups) ? [backups] : []),
    ...(logFile !== undefined && isAbsolute(logFile) ? [dirname(logFile)] : []),
  ];
  if (isUser) {
    const data = chosen ?? settings.data_dir ?? paths.data;
    return {
      program,
      words: [...words, { option: '--data-dir', value: data }],
      account: undefined,
      directories: undefined,
      data,
      writable: places,
    };
  }
  if (given.some(({ option }) => option === '--encrypt') && value('--passphrase-file') === undefined) {
    throw new AppError('USAGE', {
      message: 'A service of the whole computer has no keychain: --encrypt needs --passphrase-file.',
    });
  }
  const home = ['/root', '/home', '/Users'].find((each) => program.some((word) => isInside(word, each)));
  if (home !== undefined) {
    throw new AppError('CONFIGURATION', {
      message: `This program lies below ${home}, which the account of the service cannot read.`,
      hint: 'Install Laudio for everybody (the Debian package, the archive in /opt, or npm install --global), or add --user.',
    });
  }
  const directories = systemDirectories(platform);
  if (!directories) throw new AppError('USAGE', { message: 'This system has no services of that kind.' });
  return { program, words, account, directories, data: chosen ?? directories.data, writable: places };
}
