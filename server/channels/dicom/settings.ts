/** Settings of channels that call another DICOM system. */
import { integer, string } from '../../../src/contract/schema.ts';
import type { Peer } from '../../../src/node/dimse/request.ts';

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
    calling_title: title('Our application entity title, which the other system has to know.', { default: 'LAUDIO' }),
    timeout_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 30,
      description: 'How long the other system may say nothing.',
    }),
  },
} as const;

interface PeerSettings {
  readonly host: string;
  readonly port: number;
  readonly called_title: string;
  readonly calling_title?: string;
  readonly timeout_seconds?: number;
}

export const peerOf = ({ host, port, called_title, calling_title, timeout_seconds }: PeerSettings): Peer => ({
  host,
  port,
  called: called_title,
  calling: calling_title ?? 'LAUDIO',
  silentMs: (timeout_seconds ?? 30) * 1000,
});
