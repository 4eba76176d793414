/** The settings of TLS, of whatever kind of channel, and the files that they name. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import { boolean, string } from '../../src/contract/schema.ts';
import type { CallingTls } from '../../src/node/tls/connect.ts';
import type { ServedTls } from '../../src/node/tls/listen.ts';

const path = (description: string) => string({ minLength: 1, maxLength: 1000, description });

/** Of channels that call an address which itself says whether it is by TLS. */
export const tlsFileSettings = {
  tls_ca: path(
    'File of the certificates that the other side must be signed by (PEM). Default: those of public authorities.',
  ),
  tls_certificate: path(
    'File of the certificate by which this server shows itself, where the other side asks, with those between (PEM).',
  ),
  tls_key: path('File of its private key (PEM).'),
} as const;

/** Of channels that call a host and a port. */
export const callingTlsSettings = {
  tls: boolean({ default: false, description: 'Whether to connect by TLS; naming one of its files means so too.' }),
  ...tlsFileSettings,
  tls_server_name: string({
    minLength: 1,
    maxLength: 253,
    description: 'The name that the certificate of the other side must have. Default: `host`.',
  }),
} as const;

/** Of channels that are called. */
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

const unfit = (message: string, cause?: unknown): AppError => new AppError('CONFIGURATION', { message, cause });

/** `undefined`: no TLS. Rejects with CONFIGURATION where a file is missing, or is not what it should be. */
export async function readCallingTls(settings: CallingTlsSettings): Promise<CallingTls | undefined> {
  const { tls = false, tls_server_name: serverName } = settings;
  const files = await readFiles(settings);
  if (!tls && Object.keys(files).length === 0 && serverName === undefined) return undefined;
  return { ...files, ...(serverName !== undefined && { serverName }) };
}

/** Of channels that call addresses. Rejects as above, and where one of them is without TLS although there are files for it. */
export async function readTlsFor(
  addresses: Readonly<Record<string, string | undefined>>,
  settings: TlsFileSettings,
): Promise<CallingTls> {
  const files = await readFiles(settings);
  const [plain] =
    Object.entries(addresses).find(([, address]) => address !== undefined && !/^https:/i.test(address)) ?? [];
  if (plain !== undefined && Object.keys(files).length > 0) {
    throw unfit(`There are files for TLS (tls_…), and ${plain} does not begin with https://.`);
  }
  return files;
}

/** `undefined`: no TLS. Rejects as above. */
export async function readServedTls({ tls_client_ca, ...own }: ServedTlsSettings): Promise<ServedTls | undefined> {
  const { cert, key } = await readFiles(own);
  if (cert && key)
    return { cert, key, ...(tls_client_ca !== undefined && { ca: await certificatesIn({ tls_client_ca }) }) };
  if (tls_client_ca !== undefined) throw unfit('tls_client_ca needs tls_certificate and tls_key.');
  return undefined;
}

async function readFiles({
  tls_ca,
  tls_certificate,
  tls_key,
}: TlsFileSettings): Promise<Omit<CallingTls, 'serverName'>> {
  if ((tls_certificate === undefined) !== (tls_key === undefined)) {
    throw unfit('tls_certificate and tls_key belong together.');
  }
  return {
    ...(tls_ca !== undefined && { ca: await certificatesIn({ tls_ca }) }),
    ...(tls_certificate !== undefined && tls_key !== undefined && (await pairIn(tls_certificate, tls_key))),
  };
}

async function pairIn(tls_certificate: string, tls_key: string): Promise<Pick<ServedTls, 'cert' | 'key'>> {
  const [cert, key] = [await certificatesIn({ tls_certificate }), await contentOf({ tls_key })];
  const isPair = new X509Certificate(cert).checkPrivateKey(privateKeyIn(key));
  if (!isPair) throw unfit('tls_key is not the private key of the first certificate in tls_certificate.');
  return { cert, key };
}

function privateKeyIn(key: Buffer) {
  try {
    return createPrivateKey(key);
  } catch {
    // The words of the library may quote the file.
    throw unfit('The file of tls_key holds no private key in PEM without a passphrase.');
  }
}

type Named = Readonly<Record<string, string>>;
const certificate = /-----BEGIN (?:X509 )?CERTIFICATE-----[^]*?-----END (?:X509 )?CERTIFICATE-----/g;

/** Rejects with CONFIGURATION where there is none: Node would take the file, and trust nobody. */
async function certificatesIn(named: Named): Promise<Buffer> {
  const content = await contentOf(named);
  const [setting = ''] = Object.keys(named);
  const blocks = content.toString('latin1').match(certificate) ?? [];
  if (blocks.length === 0) {
    const isDer = content[0] === 0x30;
    const cure = isDer ? ' It seems to be DER: openssl x509 -inform der -in FILE -out FILE.pem makes PEM of it.' : '';
    throw unfit(`The file of ${setting} holds no certificate in PEM.${cure}`);
  }
  try {
    for (const block of blocks) void new X509Certificate(block);
  } catch {
    throw unfit(`The file of ${setting} holds a certificate that cannot be read.`);
  }
  return content;
}

async function contentOf(named: Named): Promise<Buffer> {
  const [[setting, path] = ['', '']] = Object.entries(named);
  try {
    return await readFile(path);
  } catch (cause) {
    throw unfit(`The file of ${setting} cannot be read.`, cause);
  }
}
