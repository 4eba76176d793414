/** The address of a bucket, `s3://HOST[:PORT]/BUCKET[/PREFIX][?region=…&tls=off&style=host]`, and the key that opens it. */
import { AppError } from '../../contract/errors.ts';
import { findEntry } from '../../domain/find-entry.ts';

export interface BucketAddress {
  /** `HOST/BUCKET[/PREFIX]`, for messages. */
  readonly name: string;
  readonly host: string;
  readonly bucket: string;
  /** The URL of the bucket. */
  readonly url: string;
  /** Begins the name of each object; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
}

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

/** The setting that holds the address, and the variable that holds the key, for messages. */
export interface AddressNames {
  readonly setting: string;
  readonly variable: string;
}

export const isBucketAddress = (text: string): boolean => text.startsWith('s3:');

const defaultRegion = 'us-east-1';
const form = 's3://HOST/BUCKET, with :PORT, /PREFIX, ?region=REGION, ?tls=off and ?style=host where needed';
const bucketForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;
const regionForm = /^[A-Za-z0-9-]{1,64}$/;
const amazonForm = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/** The options behind the question mark, with their values. */
const choices = { tls: { on: 'https', off: 'http' }, style: { path: 'path', host: 'host' } } as const;

/** Throws AppError CONFIGURATION, which repeats no secret, if the address is no such address. */
export function parseBucketAddress(text: string, names: AddressNames): BucketAddress {
  const { setting, variable } = names;
  const refuse = (message: string, hint = `Say ${setting} ${form}.`): AppError =>
    new AppError('CONFIGURATION', { message, hint });
  const url = URL.parse(text);
  if (!url || url.protocol !== 's3:' || url.host === '') throw refuse(`${setting} is no address of a bucket.`);
  if (url.username !== '' || url.password !== '') {
    throw refuse(
      `${setting} holds a key, which others on this computer could read.`,
      `Leave it out of the address, and set ${variable} to ID:SECRET.`,
    );
  }
  const [bucket = '', ...folders] = decodePath(url.pathname.slice(1)).split('/');
  if (!bucketForm.test(bucket)) throw refuse(`${setting} names no bucket.`);
  if (url.hash !== '' || folders.some((each) => each === '.' || each === '..')) {
    throw refuse(`${setting} has a prefix that no object can have.`);
  }
  const { tls, style, region } = readOptions(url, refuse);
  const prefix = folders.filter((each) => each !== '').map((each) => `${each}/`);
  return {
    name: [url.host, bucket, prefix.join('').slice(0, -1)].filter(Boolean).join('/'),
    host: url.host,
    bucket,
    url: style === 'host' ? `${tls}://${bucket}.${url.host}` : `${tls}://${url.host}/${bucket}`,
    prefix: prefix.join(''),
    region: region ?? amazonForm.exec(url.hostname)?.[1] ?? defaultRegion,
  };
}

function readOptions(url: URL, refuse: (message: string) => AppError) {
  const given = new Map(url.searchParams);
  const choose = <C extends Readonly<Record<string, string>>>(values: C, name: string, byDefault: C[keyof C]) => {
    const value = given.get(name);
    given.delete(name);
    if (value === undefined) return byDefault;
    const chosen = findEntry(values, value);
    if (chosen === undefined) throw refuse(`${name} in that address takes ${Object.keys(values).join(' or ')}.`);
    return chosen;
  };
  const tls = choose(choices.tls, 'tls', 'https');
  const style = choose(choices.style, 'style', 'path');
  const region = given.get('region');
  given.delete('region');
  if (region !== undefined && !regionForm.test(region)) throw refuse('region in that address is no name of a region.');
  const [unknown] = given.keys();
  if (unknown !== undefined) throw refuse('That address has an option other than region, tls and style.');
  return { tls, style, region };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** An ID may have colons, a secret has none. Throws AppError CONFIGURATION without a key. */
export function parseAccessKey(text: string | undefined, { variable }: AddressNames, bucket: string): AccessKey {
  const at = text?.trim().lastIndexOf(':') ?? -1;
  const key = { id: text?.trim().slice(0, at) ?? '', secret: text?.trim().slice(at + 1) ?? '' };
  if (at > 0 && key.secret !== '') return key;
  throw new AppError('CONFIGURATION', {
    message: text ? `${variable} is not of the form ID:SECRET.` : `The bucket ${bucket} needs a key.`,
    hint: `Set ${variable} to ID:SECRET in the environment of the server.`,
  });
}
