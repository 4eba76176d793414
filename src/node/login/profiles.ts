/** Named logins: which server, as which client, for whom. No secrets: those are in the credential store. */
import { join } from 'node:path';
import { conforms } from '../../client/conforms.ts';
import { AppError } from '../../contract/errors.ts';
import { array, boolean, named, nullable, object, oneOf, string } from '../../contract/schema.ts';
import type { TypeOf } from '../../contract/schema.ts';
import type { Clock } from '../../domain/clock.ts';
import { withFileLock } from '../files/file-lock.ts';
import { readPrivateFile, writePrivateFile } from '../files/private-file.ts';
import { profileName } from '../settings.ts';
import { suggestWord } from '../../domain/nearest-word.ts';

export const defaultProfile = 'default';

export const Profile = named(
  'Profile',
  object({
    name: string(),
    server: string({ description: 'Base URL. Its tokens are sent nowhere else.' }),
    client_id: string(),
    scope: string({ description: 'Space-separated granted scopes.' }),
    user: nullable(string({ description: 'Display name of who logged in.' })),
    test_mode: boolean(),
    credential_store: oneOf(['keychain', 'file']),
  }),
);
export type Profile = TypeOf<typeof Profile>;

const ProfileFile = object({ current: string(), profiles: array(Profile) });
type ProfileFile = TypeOf<typeof ProfileFile>;

export interface Profiles {
  readonly path: string;
  list(): Promise<{ current: string; profiles: Profile[] }>;
  /** The named profile, or the current profile; `undefined` for an unknown name. */
  get(name?: string): Promise<Profile | undefined>;
  /** Adds or replaces the profile and makes it the current profile. */
  save(profile: Profile): Promise<void>;
  /** NOT_FOUND for an unknown name. */
  use(name: string): Promise<void>;
  /** Whether a profile was removed. */
  remove(name: string): Promise<boolean>;
}

export function createProfiles(configDirectory: string, clock: Clock): Profiles {
  const path = join(configDirectory, 'profiles.json');
  const read = async (): Promise<ProfileFile> => {
    const content = await readPrivateFile(path);
    return content === undefined ? { current: defaultProfile, profiles: [] } : parse(content, path);
  };
  const change = <T>(work: (file: ProfileFile) => { file: ProfileFile; result: T }): Promise<T> =>
    withFileLock(`${path}.lock`, { clock, timeout: 10_000 }, async () => {
      const { file, result } = work(await read());
      await writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`);
      return result;
    });
  const find = ({ current, profiles }: ProfileFile, name: string | undefined) =>
    profiles.find((profile) => profile.name === (name ?? current));
  return {
    path,
    list: read,
    get: async (name) => find(await read(), name),
    save: async (profile) => {
      if (!profileName.test(profile.name)) {
        throw new AppError('CONFIGURATION', { message: 'A profile’s name has up to 64 letters, digits, - and _.' });
      }
      await change(({ profiles }) => {
        const others = profiles.filter(({ name }) => name !== profile.name);
        return { file: { current: profile.name, profiles: [...others, profile] }, result: undefined };
      });
    },
    use: (name) =>
      change((file) => {
        if (!find(file, name)) throw noProfile(name, file.profiles);
        return { file: { ...file, current: name }, result: undefined };
      }),
    remove: (name) =>
      change((file) => {
        const profiles = file.profiles.filter((profile) => profile.name !== name);
        const current = file.current === name ? (profiles[0]?.name ?? defaultProfile) : file.current;
        return { file: { current, profiles }, result: profiles.length < file.profiles.length };
      }),
  };
}

/** The error for a name without a profile, with the most similar one that there is. */
export function noProfile(name: string, profiles: readonly Pick<Profile, 'name'>[]): AppError {
  const names = profiles.map((profile) => profile.name);
  const hint = suggestWord(name, names) ?? (names.length > 0 ? `Profiles are ${names.join(', ')}.` : undefined);
  return new AppError('NOT_FOUND', { message: `There is no profile "${name}".`, ...(hint !== undefined && { hint }) });
}

function parse(content: string, path: string): ProfileFile {
  try {
    const value: unknown = JSON.parse(content);
    if (conforms(ProfileFile, value)) return value as ProfileFile;
  } catch {
    // The error below reports this damage like any other.
  }
  throw new AppError('CONFIGURATION', { message: `${path} is damaged.`, hint: 'Delete it and log in again.' });
}
