/** Files of a Bulk Data export: the manifest that lists them, and their lines, of which one at a time is in memory. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { ChannelConfig } from '../../channel.ts';
import { parseObject } from '../fhir/client.ts';
import type { FhirClient, Resource } from '../fhir/client.ts';
import type { FhirInSettings } from './settings.ts';

export interface ExportFile {
  readonly type: string;
  readonly url: string;
  /** Whether the file is read with the token of the server, wherever it is. */
  readonly needsToken: boolean;
}

export interface ExportManifest {
  /** Time of the server up to which the export has everything, ISO 8601; `undefined`: it does not say. */
  readonly until: string | undefined;
  readonly output: readonly ExportFile[];
  /** Files with Bundles of deletions. */
  readonly deleted: readonly ExportFile[];
}

/** Maximum of bytes in a line. */
const maxLine = 8 * 1024 * 1024;
const newline = 0x0a;

/** Throws BAD_ANSWER if it is no manifest. */
export function readManifest(text: string, { origin }: URL): ExportManifest {
  const manifest = parseObject(text);
  const needsToken = manifest?.['requiresAccessToken'] === true;
  const readFiles = (files: unknown): ExportFile[] =>
    (Array.isArray(files) ? files : [])
      .filter(isPlainObject)
      .flatMap(({ type, url }) =>
        typeof type === 'string' && typeof url === 'string' && URL.canParse(url, origin)
          ? [{ type, url, needsToken }]
          : [],
      );
  if (!Array.isArray(manifest?.['output']))
    throw new AppError('BAD_ANSWER', { message: `${origin} ends the export without a list of files.` });
  const { transactionTime: at } = manifest;
  return {
    until: typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? new Date(at).toISOString() : undefined,
    output: readFiles(manifest['output']),
    deleted: readFiles(manifest['deleted']),
  };
}

/** Throws if a file is where no operator has allowed it to be: the server may not choose whom this one calls. */
export function checkOrigins(
  { output, deleted }: ExportManifest,
  base: URL,
  { name, settings: { file_origins = [] } }: Pick<ChannelConfig<FhirInSettings>, 'name' | 'settings'>,
): void {
  const known = [base.origin, ...file_origins.map((each) => new URL(each).origin)];
  const named = new Set([...output, ...deleted].map(({ url }) => new URL(url, base).origin));
  const others = [...named].filter((origin) => !known.includes(origin));
  if (others.length === 0) return;
  throw new AppError('BAD_ANSWER', {
    message: `${base.origin} has the files of the export at ${others.join(' and ')}.`,
    hint: `If that is where they belong: laudio channel set ${name} --set file_origins=${[...file_origins, ...others].join(',')}`,
  });
}

/** The resources of a file in order; `undefined` for a line that holds none. Rejects if the file cannot be read. */
export async function* readResources(
  client: FhirClient,
  { url: address, needsToken }: ExportFile,
  signal: AbortSignal,
): AsyncGenerator<Resource | undefined> {
  const url = new URL(address, client.urlOf(''));
  const body = await client.download(url, needsToken, signal);
  for await (const line of readLines(body, url)) {
    const text = line.toString().trim();
    if (text !== '') yield parseObject(text);
  }
}

async function* readLines(body: AsyncIterable<Uint8Array>, { origin }: URL): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      yield Buffer.concat([...pieces, rest.subarray(0, end)]);
      pieces = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    pieces.push(rest);
    length += rest.length;
    if (length > maxLine)
      throw new AppError('BAD_ANSWER', { message: `A file of ${origin} has a line that is too long.` });
  }
  if (length > 0) yield Buffer.concat(pieces);
}
