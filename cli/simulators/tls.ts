/** TLS of the simulators, at either end: the options of simulate, and the files that they name. */
import { AppError } from '../../src/contract/errors.ts';
import type { CallingTls } from '../../src/node/tls/connect.ts';
import { readTlsFiles } from '../../src/node/tls/files.ts';
import { served } from '../../src/node/tls/listen.ts';
import type { ServedTls } from '../../src/node/tls/listen.ts';
import type { SimulationOptions } from './simulator.ts';

/** Options of simulators with TLS. */
export const tlsOptions = ['tlsCa', 'tlsCertificate', 'tlsKey'] as const;
export type TlsWords = Pick<SimulationOptions, (typeof tlsOptions)[number]>;

const readFiles = ({ tlsCa: ca, tlsCertificate: certificate, tlsKey: key }: TlsWords) =>
  readTlsFiles({ ca, certificate, key }, (part) => `--tls-${part}`);

/** TLS of a simulator that calls; `undefined`: without TLS. */
export async function calling(words: TlsWords): Promise<CallingTls | undefined> {
  const files = await readFiles(words);
  return Object.keys(files).length > 0 ? files : undefined;
}

/** TLS of a simulator that is called; `undefined`: without TLS. */
export async function called(words: TlsWords): Promise<ServedTls | undefined> {
  const tls = served(await readFiles(words));
  if (tls || words.tlsCa === undefined) return tls;
  throw new AppError('USAGE', {
    message: '--tls-ca needs --tls-certificate and --tls-key here.',
    hint: 'Whoever listens by TLS shows a certificate.',
  });
}
