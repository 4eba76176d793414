/**
 * Where a channel listens, and who may connect. A host that other computers can reach needs a list of peers or their
 * certificates, so that no port is open to a whole hospital by accident.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { array, string } from '../../../src/contract/schema.ts';
import type { Doorkeeper } from '../../../src/node/tls/listen.ts';
import { parseRanges } from '../../http/address-ranges.ts';
import { readServedTls, servedTlsSettings } from './tls-settings.ts';
import type { ServedTlsSettings } from './tls-settings.ts';

export const listeningSettings = {
  host: string({
    minLength: 1,
    maxLength: 253,
    default: '127.0.0.1',
    description:
      'The address of this computer to listen on; `0.0.0.0` is all of them. One that other computers reach needs `peers` or `tls_client_ca`.',
  }),
  peers: array(
    string({ minLength: 1, maxLength: 64, description: 'An address, or a network such as `10.1.0.0/16`.' }),
    {
      maxItems: 100,
      description: 'Who may connect. Default: anyone who can reach the address.',
    },
  ),
  ...servedTlsSettings,
} as const;

export interface ListeningSettings extends ServedTlsSettings {
  readonly host?: string;
  readonly peers?: readonly string[];
}

export const defaultHost = '127.0.0.1';

/** Whether only this computer can reach the host. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Rejects with CONFIGURATION if the settings contradict each other, or would let anyone connect. */
export async function readDoorkeeper(settings: ListeningSettings): Promise<Pick<Doorkeeper, 'tls' | 'mayConnect'>> {
  const { host = defaultHost, peers = [] } = settings;
  const tls = await readServedTls(settings);
  if (!isLoopback(host) && peers.length === 0 && !tls?.ca) {
    throw new AppError('CONFIGURATION', {
      message:
        'Other computers reach that host: name those that may connect (peers), or have them show certificates (tls_client_ca).',
    });
  }
  return { tls, mayConnect: peers.length > 0 ? parseRanges(peers) : undefined };
}
