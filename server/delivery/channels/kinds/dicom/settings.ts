/** Settings of channels that connect to another DICOM system. */
import { integer, string } from '../../../../../src/contract/schema.ts';
import type { Peer } from '../../../../../src/protocols/dimse/request.ts';
import { callingTlsSettings, readCallingTls } from '../../tls-settings.ts';
import type { CallingTlsSettings } from '../../tls-settings.ts';

/** An application entity title (PS3.5 6.2, AE). */
export const title = (description: string, more: { default?: string } = {}) =>
  string({
    pattern: '^(?! )[\\x20-\\x5b\\x5d-\\x7e]{1,16}(?<! )$',
    'x-error-message': 'a title has at most 16 characters of ASCII, and no backslash',
    description,
    ...more,
  });

export const dicomPeerSettings = {
  required: {
    host: string({ minLength: 1, maxLength: 255, description: 'Name or address of the other system.' }),
    port: integer({ minimum: 1, maximum: 65_535, description: 'Its port.', examples: [104] }),
    called_title: title('Its application entity title.'),
  },
  optional: {
    calling_title: title('Application entity title of this server, which the other system must know.', {
      default: 'LAUDIO',
    }),
    timeout_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 30,
      description: 'How long the other system may stay silent.',
    }),
    ...callingTlsSettings,
  },
} as const;

interface PeerSettings extends CallingTlsSettings {
  readonly host: string;
  readonly port: number;
  readonly called_title: string;
  readonly calling_title?: string;
  readonly timeout_seconds?: number;
}

/** Rejects with CONFIGURATION if the TLS files are invalid. */
export const toPeer = async (settings: PeerSettings): Promise<Peer> => ({
  host: settings.host,
  port: settings.port,
  called: settings.called_title,
  calling: settings.calling_title ?? 'LAUDIO',
  silentMs: (settings.timeout_seconds ?? 30) * 1000,
  tls: await readCallingTls(settings),
});
