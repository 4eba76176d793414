/** TLS settings of all kinds of channel, and the files that they name. */
import { AppError } from '../../../src/contract/errors.ts';
import { boolean, string } from '../../../src/contract/schema.ts';
import type { CallingTls } from '../../../src/node/tls/connect.ts';
import { readTlsFiles } from '../../../src/node/tls/files.ts';
import type { TlsFiles } from '../../../src/node/tls/files.ts';
import { served } from '../../../src/node/tls/listen.ts';
import type { ServedTls } from '../../../src/node/tls/listen.ts';

const path = (description: string) => string({ minLength: 1, maxLength: 1000, description });

/** For channels that call a URL, whose scheme decides about TLS. */
export const tlsFileSettings = {
  tls_ca: path(
    'File of the certificates that the other side must be signed by (PEM). Default: those of public authorities.',
  ),
  tls_certificate: path(
    'File of the certificate by which this server shows itself, where the other side asks, with those between (PEM).',
  ),
  tls_key: path('File of its private key (PEM).'),
} as const;

/** For channels that connect to a host and port. */
export const callingTlsSettings = {
  tls: boolean({ default: false, description: 'Whether to connect by TLS; naming one of its files means so too.' }),
  ...tlsFileSettings,
  tls_server_name: string({
    minLength: 1,
    maxLength: 253,
    description: 'The name that the certificate of the other side must have. Default: `host`.',
  }),
} as const;

/** For channels that accept connections. */
export const servedTlsSettings = {
  tls_certificate: path('File of the certificate by which the server shows itself, with those between (PEM).'),
  tls_key: path('File of its private key (PEM).'),
  tls_client_ca: path('File of the certificates that senders must be signed by (PEM). Default: senders need none.'),
} as const;

type Set<S> = { readonly [Name in keyof S]?: string | undefined };
export type TlsFileSettings = Set<typeof tlsFileSettings>;

export interface CallingTlsSettings extends TlsFileSettings {
  readonly tls?: boolean | undefined;
  readonly tls_server_name?: string | undefined;
}
export type ServedTlsSettings = Set<typeof servedTlsSettings>;

const unfit = (message: string): AppError => new AppError('CONFIGURATION', { message });

const readFiles = ({ tls_ca: ca, tls_certificate: certificate, tls_key: key }: TlsFileSettings): Promise<TlsFiles> =>
  readTlsFiles({ ca, certificate, key }, (part) => `tls_${part}`);

/** `undefined`: no TLS. Rejects with CONFIGURATION if a file is missing or invalid. */
export async function readCallingTls(settings: CallingTlsSettings): Promise<CallingTls | undefined> {
  const { tls = false, tls_server_name: serverName } = settings;
  const files = await readFiles(settings);
  if (!tls && Object.keys(files).length === 0 && serverName === undefined) return undefined;
  return { ...files, ...(serverName !== undefined && { serverName }) };
}

/** For channels that call URLs. Rejects as above, and if there are TLS files but a URL has no TLS. */
export async function readTlsFor(
  addresses: Readonly<Record<string, string | undefined>>,
  settings: TlsFileSettings,
): Promise<CallingTls> {
  const files = await readFiles(settings);
  const isPlain = (address: string | undefined): boolean => address !== undefined && !/^https:/i.test(address);
  const [plain] = Object.keys(addresses).filter((name) => isPlain(addresses[name]));
  if (plain !== undefined && Object.keys(files).length > 0) {
    throw unfit(`There are files for TLS (tls_…), and ${plain} does not begin with https://.`);
  }
  return files;
}

/** `undefined`: no TLS. Rejects as above. */
export async function readServedTls(settings: ServedTlsSettings): Promise<ServedTls | undefined> {
  const { tls_client_ca: ca, tls_certificate: certificate, tls_key: key } = settings;
  if (ca !== undefined && certificate === undefined) throw unfit('tls_client_ca needs tls_certificate and tls_key.');
  const nameOf = (part: string): string => (part === 'ca' ? 'tls_client_ca' : `tls_${part}`);
  return served(await readTlsFiles({ ca, certificate, key }, nameOf));
}
