/** The table of settings. Options, environment variables, files and documentation all follow from this table. */
import { dirname, join, resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { AppError } from '../contract/errors.ts';
import { languages } from '../contract/shared.ts';
import { isMissing } from './files/private-file.ts';
import {
  addressList,
  choice,
  directoryPath,
  lengthOfTime,
  letterheadList,
  lifeOfToken,
  publicAddress,
  serverAddress,
  text,
  timeZone,
  wholeNumber,
  word,
  yesNo,
} from './setting-kinds.ts';
import type { Kind } from './setting-kinds.ts';
import { isBlank, parseObject } from './settings-text.ts';
import { textBefore } from '../domain/text-before.ts';
import { nearestWord, suggestWord } from '../domain/nearest-word.ts';

interface Setting<T> {
  readonly kind: Kind<T>;
  /** The placeholder that the command line shows. */
  readonly flag: string;
  readonly env: `LAUDIO_${string}`;
  readonly summary: string;
  /** Without a default, the setting stays `undefined`. */
  readonly default?: NoInfer<T>;
  /** Whether a project's file may hold the setting; that file comes with somebody's repository. */
  readonly project: boolean;
}

const setting = <T>(definition: Setting<T>): Setting<T> => definition;
const settingWithDefault = <T>(definition: Setting<T> & { readonly default: NoInfer<T> }) => definition;

export const profileName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export const settings = {
  profile: setting({
    kind: text(profileName, 'up to 64 letters, digits, - and _'),
    flag: '--profile <name>',
    env: 'LAUDIO_PROFILE',
    summary: 'Which login to use.',
    project: true,
  }),
  server: setting({
    kind: serverAddress,
    flag: '--server <url>',
    env: 'LAUDIO_SERVER',
    summary: 'Base URL of the server.',
    project: true,
  }),
  output: settingWithDefault({
    kind: word(['auto', 'table', 'json', 'tsv']),
    flag: '--output <format>',
    env: 'LAUDIO_OUTPUT',
    summary: 'How results are printed; auto: a table to a terminal, tab-separated lines to a pipe.',
    default: 'auto',
    project: true,
  }),
  color: settingWithDefault({
    kind: word(['auto', 'always', 'never']),
    flag: '--color <when>',
    env: 'LAUDIO_COLOR',
    summary: 'Whether to use colours.',
    default: 'auto',
    project: true,
  }),
  input: settingWithDefault({
    kind: yesNo,
    flag: '--no-input',
    env: 'LAUDIO_INPUT',
    summary: 'Whether questions may be asked on a terminal.',
    default: true,
    project: true,
  }),
  timeout: settingWithDefault({
    kind: wholeNumber(1, 3600),
    flag: '--timeout <seconds>',
    env: 'LAUDIO_TIMEOUT',
    summary: 'Seconds to wait for any sign of the server.',
    default: 120,
    project: true,
  }),
  retries: settingWithDefault({
    kind: wholeNumber(0, 10),
    flag: '--retries <count>',
    env: 'LAUDIO_RETRIES',
    summary: 'How often a call is repeated that failed for a passing reason.',
    default: 3,
    project: true,
  }),
  language: setting({
    kind: word(languages),
    flag: '--language <tag>',
    env: 'LAUDIO_LANGUAGE',
    summary: 'Language of documents.',
    project: true,
  }),
  credential_store: settingWithDefault({
    kind: word(['keychain', 'file']),
    flag: '--allow-insecure-storage',
    env: 'LAUDIO_CREDENTIAL_STORE',
    summary: 'Where tokens are kept: the keychain of the system, or a file that only you can read.',
    default: 'keychain',
    project: false,
  }),
  data_dir: setting({
    kind: directoryPath,
    flag: '--data-dir <directory>',
    env: 'LAUDIO_DATA_DIR',
    summary: 'Where the embedded server keeps its data.',
    project: false,
  }),
  public_url: setting({
    kind: publicAddress,
    flag: '--public-url <url>',
    env: 'LAUDIO_PUBLIC_URL',
    summary: 'Where browsers reach the embedded server, behind a proxy that ends TLS.',
    project: false,
  }),
  trust_proxy: setting({
    kind: addressList,
    flag: '--trust-proxy <address>',
    env: 'LAUDIO_TRUST_PROXY',
    summary: 'Addresses of that proxy, whose X-Forwarded-For the embedded server believes.',
    project: false,
  }),
  letterhead: setting({
    kind: letterheadList,
    flag: '--letterhead <name; line>',
    env: 'LAUDIO_LETTERHEAD',
    summary: 'What stands above documents that the embedded server writes: name of the institution, address, phone.',
    project: false,
  }),
  time_zone: setting({
    kind: timeZone,
    flag: '--time-zone <zone>',
    env: 'LAUDIO_TIME_ZONE',
    summary: 'Where the times of exams are from that reach the embedded server without a zone.',
    project: false,
  }),
  keep_completed: setting({
    kind: lengthOfTime,
    flag: '--keep-completed <duration>',
    env: 'LAUDIO_KEEP_COMPLETED',
    summary:
      'How long the embedded server keeps exams that are over, with all that belongs to them; then 7 days in the trash.',
    project: false,
  }),
  keep_audio: setting({
    kind: lengthOfTime,
    flag: '--keep-audio <duration>',
    env: 'LAUDIO_KEEP_AUDIO',
    summary: 'How long the embedded server keeps the audio of signed documents; then 7 days in the trash.',
    project: false,
  }),
  keep_audit: setting({
    kind: lengthOfTime,
    flag: '--keep-audit <duration>',
    env: 'LAUDIO_KEEP_AUDIT',
    summary: 'How long the embedded server keeps the audit trail.',
    project: false,
  }),
  access_token_ttl: setting({
    kind: lifeOfToken,
    flag: '--access-token-ttl <duration>',
    env: 'LAUDIO_ACCESS_TOKEN_TTL',
    summary: 'How long access tokens of the embedded server live.',
    project: false,
  }),
  recogniser: setting({
    kind: choice,
    flag: '--recogniser <choice>',
    env: 'LAUDIO_RECOGNISER',
    summary:
      'What turns sound into text on the embedded server, for all but test clients; none: nothing does. Default: a model that is installed.',
    project: false,
  }),
  hearing: setting({
    kind: wholeNumber(1, 64),
    flag: '--hearing <count>',
    env: 'LAUDIO_HEARING',
    summary: 'How many queued dictations the recogniser is given at once.',
    project: false,
  }),
  waiting_audio: setting({
    kind: wholeNumber(0, 100_000_000),
    flag: '--waiting-audio <mib>',
    env: 'LAUDIO_WAITING_AUDIO',
    summary: 'MiB of audio that may wait for the recogniser on the embedded server.',
    project: false,
  }),
  writer: setting({
    kind: choice,
    flag: '--writer <choice>',
    env: 'LAUDIO_WRITER',
    summary: 'What makes documents of text on the embedded server.',
    project: false,
  }),
  store: setting({
    kind: choice,
    flag: '--store <choice>',
    env: 'LAUDIO_STORE',
    summary: 'Where the embedded server keeps documents.',
    project: false,
  }),
  blobs: setting({
    kind: choice,
    flag: '--blobs <choice>',
    env: 'LAUDIO_BLOBS',
    summary: 'Where the embedded server keeps audio.',
    project: false,
  }),
} as const;

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

type ValueOf<S> = S extends { readonly kind: Kind<infer T>; readonly default: unknown }
  ? T
  : S extends { readonly kind: Kind<infer T> }
    ? T | undefined
    : never;

export type Settings = { readonly [K in SettingName]: ValueOf<(typeof settings)[K]> };

/** Checks the value of a command's own option. CONFIGURATION if the value is unusable. */
export function settingValue<N extends SettingName>(name: N, value: unknown, directory: string): Settings[N] {
  const { kind, flag } = settings[name] as unknown as Setting<Settings[N]>;
  return usable(kind, name, { value, directory, origin: { from: 'flag', name: textBefore(flag, ' ') } }) as Settings[N];
}

/** The form in which the user's file stores a value. CONFIGURATION if the value is unusable. */
export function storedSetting(name: SettingName, text: string, directory: string): unknown {
  const { kind } = settings[name] as unknown as Setting<unknown>;
  const value = usable(kind, name, { value: text, directory, origin: { from: 'flag', name } });
  // Durations and choices are stored as they are written.
  return typeof value !== 'object' && kind.read(value, directory) === value ? value : text;
}

/** Environment variables that are no settings: secrets, and places of files. */
export const otherVariables = {
  LAUDIO_TOKEN: 'An access token, used instead of a login.',
  LAUDIO_CLIENT_ID: 'A partner application of type server, as which every command works instead of a login.',
  LAUDIO_CLIENT_SECRET: 'Its secret; without LAUDIO_CLIENT_ID the client secret for `laudio login`.',
  LAUDIO_CLIENT_KEY_FILE: 'The file of its private key, PEM or JWK, where it has a key instead of a secret.',
  LAUDIO_PASSPHRASE: 'The passphrase of an encrypted data directory, for `laudio serve`.',
  LAUDIO_BACKUP_PASSPHRASE: 'The passphrase of a backup, for `laudio server backup` and `restore`.',
  LAUDIO_RECOGNISER_KEY: 'The secret that the recogniser’s service asks for, for `laudio serve` and the app.',
  LAUDIO_WRITER_KEY: 'The secret that the writer’s service asks for, for `laudio serve` and the app.',
  LAUDIO_CHANNEL_SECRET: 'A secret setting of a channel, for `laudio channel add` and `set`.',
  LAUDIO_WEBHOOK_SECRET: 'The secret of a webhook, for `laudio webhook verify`, `listen` and `replay`.',
  LAUDIO_STORE_KEY: 'The secret that the service behind the store asks for.',
  LAUDIO_BLOBS_KEY: 'The secret that the service behind the store of audio asks for: ID:SECRET for S3.',
  LAUDIO_BACKUP_KEY: 'The key of the bucket of `laudio serve --backup-to s3://…`: ID:SECRET.',
  LAUDIO_PROVIDER_SECRET: 'The secret of the client of `laudio serve --provider`.',
  LAUDIO_HUB_SECRET: 'The secret of the client of `laudio serve --hub`.',
  LAUDIO_DATA_KEY: 'A key of 32 bytes in base64, with which --encrypt encrypts data and audio in S3.',
  LAUDIO_CONFIG_DIR: 'Where settings and profiles are.',
  LAUDIO_STATE_DIR: 'Where tokens, locks and the list of running servers are.',
} as const;

const prefix = 'LAUDIO_';

/** Set variables that resemble one of Laudio's, with that one; others may be of somebody's own. */
export function findMistypedVariables(
  env: SettingsSources['env'],
): { readonly typed: string; readonly meant: string }[] {
  const known = [...Object.values(settings).map((each) => each.env), ...Object.keys(otherVariables)];
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .flatMap((typed) => {
      const meant = nearestWord(
        typed.slice(prefix.length),
        known.map((name) => name.slice(prefix.length)),
      );
      return meant === undefined ? [] : [{ typed, meant: `${prefix}${meant}` }];
    });
}

/** The source of a value. `name` is the flag, the variable or the file's path. */
export interface Origin {
  readonly from: 'flag' | 'environment' | 'project' | 'user' | 'default';
  readonly name: string;
}

export interface SettingsFile {
  readonly from: 'project' | 'user';
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Its settings are lost: a power loss may leave a file empty, or full of zeros, if the disk had not written it yet.
   */
  readonly isLost?: true;
}

export interface ResolvedSettings {
  readonly values: Settings;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /**
   * The file whose settings are lost. If a default might replace a different configured value, the setting must be
   * named.
   */
  readonly lost?: string;
}

export interface SettingsSources {
  /** Values of the command line, by setting. */
  readonly flags: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly files: readonly SettingsFile[];
}

/**
 * Flag before environment before project file before user file before default; an empty variable counts as none.
 * CONFIGURATION for an unusable value, an unknown name, or a setting that a project may not set.
 */
export function resolveSettings({ flags, env, cwd, files }: SettingsSources): ResolvedSettings {
  for (const file of files) checkNames(file);
  const inOrder = files.toSorted((a, b) => Number(a.from === 'user') - Number(b.from === 'user'));
  const values: Record<string, unknown> = {};
  const origins: Partial<Record<SettingName, Origin>> = {};
  for (const name of settingNames) {
    const { kind, flag, env: variable, ...rest } = settings[name] as Setting<unknown>;
    const candidates = [
      { value: flags[name], directory: cwd, origin: { from: 'flag', name: flag.split(' ')[0] ?? flag } },
      { value: env[variable] || undefined, directory: cwd, origin: { from: 'environment', name: variable } },
      ...inOrder.map(({ from, path, values: stored }) => ({
        value: stored[name],
        directory: dirname(path),
        origin: { from, name: path },
      })),
    ] satisfies { value: unknown; directory: string; origin: Origin }[];
    const chosen = candidates.find(({ value }) => value !== undefined);
    if (chosen) {
      values[name] = usable(kind, name, chosen);
      origins[name] = chosen.origin;
    } else {
      values[name] = rest.default;
      origins[name] = { from: 'default', name: 'default' };
    }
  }
  const lost = files.find(({ isLost }) => isLost)?.path;
  return {
    values: values as unknown as Settings,
    origins: origins as Record<SettingName, Origin>,
    ...(lost !== undefined && { lost }),
  };
}

function usable(
  kind: Kind<unknown>,
  name: string,
  candidate: { value: unknown; directory: string; origin: Origin },
): unknown {
  const value = kind.read(candidate.value, candidate.directory);
  if (value !== undefined) return value;
  const { origin } = candidate;
  const where = origin.from === 'project' || origin.from === 'user' ? `"${name}" in ${origin.name}` : origin.name;
  throw new AppError('CONFIGURATION', {
    message: `${where} must be ${kind.expected}.`,
    details: { setting: name, ...origin },
  });
}

function checkNames({ from, path, values }: SettingsFile): void {
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(settings, name)) {
      throw new AppError('CONFIGURATION', {
        message: `${path} has an unknown setting ${JSON.stringify(name)}.`,
        hint: [
          suggestWord(name, settingNames),
          `Settings are: ${settingNames.join(', ')}. Secrets never belong in this file.`,
        ]
          .filter(Boolean)
          .join(' '),
      });
    }
    if (from === 'project' && !settings[name as SettingName].project) {
      throw new AppError('CONFIGURATION', {
        message: `${path} may not set ${JSON.stringify(name)}: it is for each user to choose.`,
      });
    }
  }
}

export const projectFileName = 'laudio.config.json';

export const userSettingsPath = (configDirectory: string): string => join(configDirectory, 'config.json');

/** The project's file, searched for from `cwd` upwards, and the user's; those that exist. */
export async function readSettingsFiles(cwd: string, configDirectory: string): Promise<SettingsFile[]> {
  const files: SettingsFile[] = [];
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    const project = await readSettingsFile('project', join(directory, projectFileName));
    if (project) files.push(project);
    if (project || directory === dirname(directory)) break;
  }
  const user = await readSettingsFile('user', userSettingsPath(configDirectory));
  return user ? [...files, user] : files;
}

async function readSettingsFile(from: SettingsFile['from'], path: string): Promise<SettingsFile | undefined> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new AppError('CONFIGURATION', { message: `${path} cannot be read (${String(Object(error).code)}).` });
  }
  // A project without its file has no settings to lose.
  if (from === 'user' && isBlank(content)) return { from, path, values: {}, isLost: true };
  return { from, path, values: parseObject(content, path) };
}
