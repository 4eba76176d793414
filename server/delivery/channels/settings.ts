/** The settings of a channel: checked by the schema of its kind, with its secrets kept apart from what may be shown. */
import { hiddenSecret } from '../../../src/contract/channel.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import type { Compile } from '../../runtime/validation.ts';
import type { AnyKind, OpenedChannel, StoredChannel } from './channel.ts';
import { channelKinds } from './registry.ts';

type Settings = Readonly<Record<string, unknown>>;
type Kept = Pick<StoredChannel, 'settings' | 'secrets'>;

/** The kind of that name. Throws VALIDATION_FAILED, which names the kinds that there are. */
export function kindNamed(name: string): AnyKind {
  const kind = findEntry(channelKinds, name);
  if (kind) return kind;
  const message = `kind must be one of ${Object.keys(channelKinds).join(', ')}`;
  throw validationFailed([{ field: 'kind', message, code: 'INVALID_VALUE' }]);
}

/**
 * Merges changed settings into those of before, and checks the whole. `null` removes a setting; a secret that comes as it is
 * shown stays. Throws VALIDATION_FAILED with the path of each setting at fault.
 */
export function mergedSettings(kind: AnyKind, before: Kept | undefined, changes: Settings, compile: Compile): Kept {
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

/** The settings as they may be shown. */
export const shownSettings = ({ settings, secrets }: Kept): Record<string, unknown> => ({
  ...settings,
  ...Object.fromEntries(Object.keys(secrets).map((name) => [name, hiddenSecret])),
});

export interface OpeningDeps {
  readonly compile: Compile;
  /** The zone of the server. */
  readonly timeZone: string;
}

/**
 * The channel as its kind gets it; the zone of the server stands in where neither its settings nor its mapping names one. Throws
 * CONFIGURATION where a newer version no longer takes the settings.
 */
export function openable(kind: AnyKind, channel: StoredChannel, { compile, timeZone }: OpeningDeps): OpenedChannel {
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
