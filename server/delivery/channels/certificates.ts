/**
 * Reads the certificates that a channel's TLS settings name: when they expire, and whether the files have changed since the
 * channel was opened. All kinds of channel use the same setting names.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { certificatesIn, readTlsFiles } from '../../../src/node/tls/files.ts';
import { servedTlsSettings, tlsFileSettings } from './tls-settings.ts';

type Setting = keyof typeof servedTlsSettings | keyof typeof tlsFileSettings;
const settingNames = Object.keys({ ...tlsFileSettings, ...servedTlsSettings }) as Setting[];

export interface CertificateExpiry {
  /** The setting that names its file. */
  readonly setting: Setting;
  /** In ms since 1970. */
  readonly until: number;
}

export interface Certificates {
  /** Unchanged as long as the files are. */
  readonly fingerprint: string;
  readonly expiries: readonly CertificateExpiry[];
}

/** `undefined`: the settings name no file. Rejects with the system's error if a file cannot be read. */
export async function readCertificates(settings: Readonly<Record<string, unknown>>): Promise<Certificates | undefined> {
  const files: { setting: Setting; content: Buffer }[] = [];
  for (const setting of settingNames) {
    const path = settings[setting];
    if (typeof path === 'string') files.push({ setting, content: await readFile(path) });
  }
  if (files.length === 0) return undefined;
  const hash = createHash('sha256');
  for (const { setting, content } of files) hash.update(`${setting} ${content.length} `).update(content);
  const expiries = files.flatMap(({ setting, content }) => {
    const ends = certificatesIn(content).map((pem) => new X509Certificate(pem).validToDate.getTime());
    if (ends.length === 0) return [];
    // The own chain needs each of its certificates; among trusted authorities the longest-lived one suffices.
    return [{ setting, until: setting === 'tls_certificate' ? Math.min(...ends) : Math.max(...ends) }];
  });
  return { fingerprint: hash.digest('base64'), expiries };
}

/** Rejects with CONFIGURATION if a channel could not be opened with the current files. */
export async function checkFiles(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const { tls_ca, tls_client_ca, tls_certificate, tls_key } = settings as { readonly [S in Setting]?: string };
  const ca = tls_ca === undefined ? (['tls_client_ca', tls_client_ca] as const) : (['tls_ca', tls_ca] as const);
  await readTlsFiles({ ca: ca[1], certificate: tls_certificate, key: tls_key }, (part) =>
    part === 'ca' ? ca[0] : `tls_${part}`,
  );
}
