/** Settings of channels that call a web service: a FHIR server, or a PACS by DICOMweb. */
import { integer, string } from '../../../../../src/contract/schema.ts';
import { tlsFileSettings } from '../../tls-settings.ts';
import type { TlsFileSettings } from '../../tls-settings.ts';

export const webServiceSettings = {
  required: {
    base_url: string({
      format: 'uri',
      maxLength: 2000,
      pattern: '^https?://[^?#]+$',
      description: 'Base URL of the service, such as `https://ris.example.org/fhir`.',
      examples: ['https://ris.example.org/fhir'],
    }),
  },
  optional: {
    token: string({
      minLength: 1,
      maxLength: 8000,
      writeOnly: true,
      description: 'A bearer token that does not expire.',
    }),
    token_url: string({
      format: 'uri',
      maxLength: 2000,
      pattern: '^https?://',
      description:
        'Token endpoint (OAuth 2, client credentials); needs `client_id`, and `private_key` or `client_secret`.',
    }),
    client_id: string({ minLength: 1, maxLength: 500, description: 'Client id of this server at `token_url`.' }),
    client_secret: string({
      minLength: 1,
      maxLength: 1000,
      writeOnly: true,
      description: 'Secret of the client for the login there.',
    }),
    private_key: string({
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description:
        'Private key for the login there (SMART Backend Services), as PEM: RSA, P-384 or P-256. Its public key must be registered there.',
    }),
    key_id: string({ minLength: 1, maxLength: 500, description: 'Id of the key there (`kid`).' }),
    scope: string({ minLength: 1, maxLength: 2000, description: 'Requested scope. Default: `system/*.read`.' }),
    ...tlsFileSettings,
    timeout_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 30,
      description: 'How long the service may stay silent.',
    }),
  },
} as const;

export interface WebServiceSettings extends TlsFileSettings {
  readonly base_url: string;
  readonly token?: string;
  readonly token_url?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key?: string;
  readonly key_id?: string;
  readonly scope?: string;
  readonly timeout_seconds?: number;
  /** Origins of files that the service names. */
  readonly file_origins?: readonly string[];
}
