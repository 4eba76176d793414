/**
 * Checks the files that TLS needs before their use: Node accepts a file without a certificate, and then trusts nobody.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';

type Part = 'ca' | 'certificate' | 'key';
export type TlsPaths = { readonly [P in Part]?: string | undefined };
/** The user's name for the file of a part of TLS. */
export type NameOf = (part: Part) => string;

/** In PEM, as Node accepts them. */
export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const unfit = (message: string, cause?: unknown): AppError => new AppError('CONFIGURATION', { message, cause });
/** Extends to the end of the file if the end mark is missing: it is then unreadable, and the search stays linear. */
const certificate = /-----BEGIN (?:X509 )?CERTIFICATE-----[^]*?(?:-----END (?:X509 )?CERTIFICATE-----|$)/g;

/** Each certificate in PEM; the last may be cut off. */
export const certificatesIn = (content: Buffer): readonly string[] =>
  content.toString('latin1').match(certificate) ?? [];

/** Rejects with CONFIGURATION if a file is missing or invalid; nothing of its content is quoted. */
export async function readTlsFiles(paths: TlsPaths, nameOf: NameOf): Promise<TlsFiles> {
  if ((paths.certificate === undefined) !== (paths.key === undefined)) {
    throw unfit(`${nameOf('certificate')} and ${nameOf('key')} belong together.`);
  }
  const ca = paths.ca === undefined ? undefined : await checkedCertificates(paths.ca, nameOf('ca'));
  const cert =
    paths.certificate === undefined ? undefined : await checkedCertificates(paths.certificate, nameOf('certificate'));
  const key = paths.key === undefined ? undefined : await readContent(paths.key, nameOf('key'));
  if (cert && key && !new X509Certificate(cert).checkPrivateKey(privateKeyIn(key, nameOf('key')))) {
    throw unfit(`${nameOf('key')} is not the private key of the first certificate in ${nameOf('certificate')}.`);
  }
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function privateKeyIn(key: Buffer, name: string) {
  try {
    return createPrivateKey(key);
  } catch {
    // The words of the library may quote the file.
    throw unfit(`The file of ${name} holds no private key in PEM without a passphrase.`);
  }
}

async function checkedCertificates(path: string, name: string): Promise<Buffer> {
  const content = await readContent(path, name);
  const blocks = certificatesIn(content);
  if (blocks.length === 0) throw unfit(`The file of ${name} holds no certificate in PEM.${suggestConversion(content)}`);
  if (!blocks.every(isCertificate)) throw unfit(`The file of ${name} holds a certificate that cannot be read.`);
  return content;
}

function isCertificate(content: string | Buffer): boolean {
  try {
    return new X509Certificate(content).subject !== '';
  } catch {
    return false;
  }
}

/** How to convert other common formats to PEM. */
function suggestConversion(content: Buffer): string {
  // A DER sequence: both formats begin with one.
  if (content[0] !== 0x30) return '';
  const convert = isCertificate(content) ? 'x509 -inform der' : 'pkcs12 -nodes';
  return ` Make PEM of it: openssl ${convert} -in FILE -out FILE.pem`;
}

async function readContent(path: string, name: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw unfit(`The file of ${name} cannot be read.`, cause);
  }
}
