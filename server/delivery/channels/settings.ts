/** Validates the settings of a channel by the schema of its kind, and separates its secrets. */
import { hiddenSecret } from '../../../src/contract/channel.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import type { Compile } from '../../runtime/validation.ts';
import type { AnyKind, ChannelConfig, StoredChannel } from './channel.ts';
import { channelKinds } from './registry.ts';

type Settings = Readonly<Record<string, unknown>>;
type StoredSettings = Pick<StoredChannel, 'settings' | 'secrets'>;

/** Throws VALIDATION_FAILED, which lists the known kinds. */
export function findKind(name: string): AnyKind {
  const kind = findEntry(channelKinds, name);
  if (kind) return kind;
  const message = `kind must be one of ${Object.keys(channelKinds).join(', ')}`;
  throw validationFailed([{ field: 'kind', message, code: 'INVALID_VALUE' }]);
}

/**
 * Merges changes into the current settings and validates the result. `null` removes a setting; a secret that comes back masked
 * is unchanged. Throws VALIDATION_FAILED with the path of each invalid setting.
 */
export function mergeSettings(
  kind: AnyKind,
  before: StoredSettings | undefined,
  changes: Settings,
  compile: Compile,
): StoredSettings {
  const secretNames = secretsOf(kind);
  const merged: Record<string, unknown> = { ...before?.settings, ...before?.secrets };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name];
    else if (!(secretNames.has(name) && value === hiddenSecret)) merged[name] = value;
  }
  const problems = compile(kind.settings, 'setting')(merged);
  if (problems.length > 0) {
    throw validationFailed(
      problems.map(({ field, message, code }) => ({
        field: `settings.${field}`,
        message: `settings: ${message}`,
        code,
      })),
    );
  }
  const isSecret = ([name]: [string, unknown]): boolean => secretNames.has(name);
  const all = Object.entries(merged);
  return {
    settings: Object.fromEntries(all.filter((each) => !isSecret(each))),
    secrets: Object.fromEntries(all.filter(isSecret)) as Record<string, string>,
  };
}

/** The settings with masked secrets. */
export const maskSecrets = ({ settings, secrets }: StoredSettings): Record<string, unknown> => ({
  ...settings,
  ...Object.fromEntries(Object.keys(secrets).map((name) => [name, hiddenSecret])),
});

export interface OpeningDeps {
  readonly compile: Compile;
  /** Time zone of the server. */
  readonly timeZone: string;
}

/**
 * The channel as its kind gets it. The server's time zone applies if neither settings nor mapping name one. Throws
 * CONFIGURATION if the kind no longer accepts the settings.
 */
export function toChannelConfig(
  kind: AnyKind,
  channel: StoredChannel,
  { compile, timeZone }: OpeningDeps,
): ChannelConfig {
  const { id, name, space, mapping } = channel;
  const zone = kind.settings.properties?.['time_zone'] && { time_zone: mapping?.['time_zone'] ?? timeZone };
  const settings = { ...zone, ...channel.settings, ...channel.secrets };
  const [problem] = compile(kind.settings, 'setting')(settings);
  if (problem)
    throw new AppError('CONFIGURATION', { message: `The settings do not suit the kind: ${problem.message}.` });
  return { id, name, space, mapping, settings };
}

const secretsOf = (kind: AnyKind): ReadonlySet<string> =>
  new Set(
    Object.entries(kind.settings.properties ?? {})
      .filter(([, { writeOnly }]) => writeOnly)
      .map(([name]) => name),
  );
