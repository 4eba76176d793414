/** The settings of a TLS connection that the server opens. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import { string } from '../../src/contract/schema.ts';

const path = (description: string) => string({ minLength: 1, maxLength: 1000, description });

export const tlsSettings = {
  tls_ca: path(
    'File of the certificates that the other side must be signed by (PEM). Default: those that the system trusts.',
  ),
  tls_certificate: path('File of the certificate by which this server shows itself, where the other side asks (PEM).'),
  tls_key: path('File of its private key (PEM).'),
} as const;

export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Rejects with CONFIGURATION where a file is missing. */
export async function readTls({
  tls_ca: ca,
  tls_certificate: cert,
  tls_key: key,
}: {
  readonly [S in keyof typeof tlsSettings]?: string | undefined;
}): Promise<TlsFiles> {
  if ((cert === undefined) !== (key === undefined)) {
    throw new AppError('CONFIGURATION', { message: 'tls_certificate and tls_key belong together.' });
  }
  return {
    ...(ca !== undefined && { ca: await fileOf('tls_ca', ca) }),
    ...(cert !== undefined && { cert: await fileOf('tls_certificate', cert) }),
    ...(key !== undefined && { key: await fileOf('tls_key', key) }),
  };
}

async function fileOf(setting: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new AppError('CONFIGURATION', { message: `The file of ${setting} cannot be read.`, cause });
  }
}
