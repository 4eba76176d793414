/**
 * The certificates in the files of TLS that a channel has: until when they are good, and whether the files are still those that it
 * was opened with. All kinds name the files by the same settings.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { certificatesIn, readTlsFiles } from '../../../src/node/tls/files.ts';
import { servedTlsSettings, tlsFileSettings } from './tls-settings.ts';

type Setting = keyof typeof servedTlsSettings | keyof typeof tlsFileSettings;
const settingNames = Object.keys({ ...tlsFileSettings, ...servedTlsSettings }) as Setting[];

export interface Ending {
  /** The setting that names its file. */
  readonly setting: Setting;
  /** In ms since 1970. */
  readonly until: number;
}

export interface Certificates {
  /** The same as long as the files are. */
  readonly print: string;
  readonly endings: readonly Ending[];
}

/** `undefined`: no file is named. Rejects with the error of the system where one cannot be read. */
export async function certificatesOf(settings: Readonly<Record<string, unknown>>): Promise<Certificates | undefined> {
  const files: { setting: Setting; content: Buffer }[] = [];
  for (const setting of settingNames) {
    const path = settings[setting];
    if (typeof path === 'string') files.push({ setting, content: await readFile(path) });
  }
  if (files.length === 0) return undefined;
  const hash = createHash('sha256');
  for (const { setting, content } of files) hash.update(`${setting} ${content.length} `).update(content);
  const endings = files.flatMap(({ setting, content }) => {
    const ends = certificatesIn(content).map((pem) => new X509Certificate(pem).validToDate.getTime());
    if (ends.length === 0) return [];
    // Of our own and those between each is needed; of those that sign others the last one that is good will do.
    return [{ setting, until: setting === 'tls_certificate' ? Math.min(...ends) : Math.max(...ends) }];
  });
  return { print: hash.digest('base64'), endings };
}

/** Rejects with CONFIGURATION where a channel could not be opened with the files as they are now. */
export async function checkFiles(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const { tls_ca, tls_client_ca, tls_certificate, tls_key } = settings as { readonly [S in Setting]?: string };
  const ca = tls_ca === undefined ? (['tls_client_ca', tls_client_ca] as const) : (['tls_ca', tls_ca] as const);
  await readTlsFiles({ ca: ca[1], certificate: tls_certificate, key: tls_key }, (part) =>
    part === 'ca' ? ca[0] : `tls_${part}`,
  );
}
