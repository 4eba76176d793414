/**
 * Packages that `npm install laudio` leaves out, because most installations never use them: optional peers in package.json
 * (decision 76). Each is loaded by `loadOptional` where it is used.
 */
import { createRequire } from 'node:module';
import { AppError } from '../contract/errors.ts';

interface OptionalPart {
  readonly work: string;
  /** Package → the version to ask npm for. */
  readonly packages: Readonly<Record<string, string>>;
}

export const optionalParts = {
  models: { work: 'speech recognition by a local model', packages: { 'sherpa-onnx-node': '1' } },
  sound: {
    work: 'decoding sound other than WAV at 16 kHz',
    packages: {
      '@alexanderolsen/libsamplerate-js': '2',
      mp4box: '2',
      'mpg123-decoder': '1',
      'opus-decoder': '0.7',
    },
  },
  lexicon: {
    work: 'looking for misheard words',
    packages: { 'dictionary-en': '4', 'dictionary-es': '4', 'dictionary-pt': '4', 'hunspell-wasm': '0.3' },
  },
} as const satisfies Readonly<Record<string, OptionalPart>>;

export type OptionalPartName = keyof typeof optionalParts;

/** Names of all optional packages: a clone, the release binary and the installers have them. */
export const optionalPackages: readonly string[] = Object.values<OptionalPart>(optionalParts).flatMap(({ packages }) =>
  Object.keys(packages),
);

/** Names of the packages that are not installed. */
function missingPackages(parts: readonly OptionalPartName[]): string[] {
  const { resolve } = createRequire(import.meta.url);
  return parts
    .flatMap((part) => Object.keys(optionalParts[part].packages))
    .filter((name) => {
      try {
        resolve(name);
        return false;
      } catch (error) {
        // A package for ES modules only is installed as well.
        return (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
      }
    });
}

/** Whether all packages of the part are installed. */
export const hasPart = (part: OptionalPartName): boolean => missingPackages([part]).length === 0;

/** Describes which of the parts are missing, with the line to type; `undefined` if none is. */
export function describeMissingParts(
  parts: readonly OptionalPartName[] = Object.keys(optionalParts) as OptionalPartName[],
): { message: string; hint: string } | undefined {
  const missing = parts.filter((part) => !hasPart(part));
  if (missing.length === 0) return undefined;
  const works = missing.map((part) => optionalParts[part].work);
  return { message: `Packages for ${works.join(', ')} are not installed.`, hint: installHint(...missing) };
}

/** The line to type for missing packages of the parts, or for all of them if they are installed but do not load. */
export function installHint(...parts: readonly OptionalPartName[]): string {
  const versions: Readonly<Record<string, string>> = Object.assign(
    {},
    ...parts.map((part) => optionalParts[part].packages),
  );
  const missing = missingPackages(parts);
  const words = (missing.length > 0 ? missing : Object.keys(versions)).map((name) => `${name}@${versions[name]}`);
  return `Install them next to Laudio: npm install ${words.join(' ')} (add --global if Laudio is installed globally).`;
}

/** `code`: ENGINE_UNAVAILABLE for a call, CONFIGURATION for a choice of the operator. */
export const withoutPart = (part: OptionalPartName, code: 'CONFIGURATION' | 'ENGINE_UNAVAILABLE'): AppError =>
  new AppError(code, {
    message: `Packages for ${optionalParts[part].work} are not installed.`,
    hint: installHint(part),
    ...(code === 'CONFIGURATION' ? { details: { setting: 'recogniser' } } : { retryAfter: 3600 }),
  });

/** Loads optional packages. Throws ENGINE_UNAVAILABLE with the line to type if one is not installed. */
export async function loadOptional<T>(part: OptionalPartName, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw hasPart(part) ? error : withoutPart(part, 'ENGINE_UNAVAILABLE');
  }
}
