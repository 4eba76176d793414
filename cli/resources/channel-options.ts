/** Options for channel settings, and their conversion. */
import type { ChannelKind } from '../../src/contract/channel.ts';
import { AppError } from '../../src/contract/errors.ts';
import { list, text } from '../command.ts';
import type { Context } from '../context.ts';
import { readJson } from '../shell/input-file.ts';
import { readSecret, secretOption } from '../shell/secret.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

export const settingOptions = {
  set: list('A setting; without a value after the = it is removed', { placeholder: 'NAME=VALUE' }),
  secret: text('A secret setting: its value is asked for, or read from LAUDIO_CHANNEL_SECRET', {
    placeholder: 'NAME',
  }),
  ...secretOption,
  mapping: text('JSON file that maps fields; "none" for the default mapping', { placeholder: 'FILE' }),
};

interface SettingWords {
  readonly set: readonly string[];
  readonly secret: string | undefined;
  readonly secretStdin: boolean;
  readonly mapping: string | undefined;
}

type Properties = Record<string, { type?: string; writeOnly?: boolean }>;

const largestMapping = 1024 * 1024;

/** The settings from the options, for a channel of that kind. USAGE if they are invalid. */
export async function readChanges(
  context: Context,
  kind: ChannelKind | undefined,
  { set, secret, secretStdin, mapping }: SettingWords,
): Promise<{ settings?: Record<string, unknown>; mapping?: Record<string, unknown> | null }> {
  const properties = ((kind?.settings as { properties?: Properties } | undefined)?.properties ?? {}) as Properties;
  const settings: Record<string, unknown> = {};
  for (const word of set) {
    const at = word.indexOf('=');
    if (at <= 0)
      throw new AppError('USAGE', { message: '--set takes NAME=VALUE.', hint: 'For example --set port=2575' });
    const [name, value] = [word.slice(0, at), word.slice(at + 1)];
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (kind && !property) throw unknownSetting(kind, name, Object.keys(properties));
    if (property?.writeOnly && value !== '') {
      throw new AppError('USAGE', {
        message: `${name} is a secret: don’t put it on a command line.`,
        hint: `Use --secret ${name}, which asks for the value.`,
      });
    }
    settings[name] = value === '' ? null : parseValue(value, property?.type);
  }
  if (secret !== undefined) {
    settings[secret] = await readSecret(context, `Value of ${secret}`, secretStdin, 'LAUDIO_CHANNEL_SECRET');
  }
  return {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(mapping !== undefined && { mapping: mapping === 'none' ? null : await readMapping(context, mapping) }),
  };
}

function unknownSetting({ kind }: ChannelKind, name: string, known: readonly string[]): AppError {
  return unknownWord(
    `${kind} has no setting ${name}.`,
    name,
    known,
    `laudio channel kinds ${kind} lists its settings.`,
  );
}

/** The service converts numbers and other values from text; lists have commas. */
function parseValue(value: string, type: string | undefined): unknown {
  if (type === 'array') return value.split(',').map((part) => part.trim());
  if (type !== 'object') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new AppError('USAGE', { message: 'A setting that is an object takes JSON.' });
  }
}

/** The mapping in a JSON file. */
export async function readMapping({ io }: Context, file: string): Promise<Record<string, unknown>> {
  const mapping = await readJson(io, file, largestMapping);
  if (typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping))
    return mapping as Record<string, unknown>;
  throw new AppError('USAGE', { message: 'A mapping is a JSON object.' });
}

/** The kind of that name. USAGE with the list of kinds for an unknown one. */
export async function findKind(context: Context, name: string): Promise<ChannelKind> {
  const { items } = (await (await context.operator()).channels.kinds({})).data;
  const kind = items.find((each) => each.kind === name);
  if (kind) return kind;
  const kinds = items.map((each) => each.kind);
  const more = `Kinds are ${kinds.join(', ')}; laudio channel kinds explains them.`;
  throw unknownWord(`${name} is not a kind of channel.`, name, kinds, more);
}
