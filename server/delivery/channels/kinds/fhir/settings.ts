/** Settings of channels that call a FHIR server. */
import { integer, string } from '../../../../../src/contract/schema.ts';
import { tlsFileSettings } from '../../tls-settings.ts';
import type { TlsFileSettings } from '../../tls-settings.ts';

export const fhirServerSettings = {
  required: {
    base_url: string({
      format: 'uri',
      maxLength: 2000,
      pattern: '^https?://[^?#]+$',
      description: 'Base URL of the FHIR server.',
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
      description: 'Token endpoint (SMART Backend Services); needs `client_id` and `private_key`.',
    }),
    client_id: string({ minLength: 1, maxLength: 500, description: 'Client id of this server at `token_url`.' }),
    private_key: string({
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description:
        'Private key for the login there, as PEM: RSA, P-384 or P-256. Its public key must be registered there.',
    }),
    key_id: string({ minLength: 1, maxLength: 500, description: 'Id of the key there (`kid`).' }),
    scope: string({ minLength: 1, maxLength: 2000, description: 'Requested scope. Default: `system/*.read`.' }),
    ...tlsFileSettings,
    timeout_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 30,
      description: 'How long the server may stay silent.',
    }),
  },
} as const;

export interface FhirServerSettings extends TlsFileSettings {
  readonly base_url: string;
  readonly token?: string;
  readonly token_url?: string;
  readonly client_id?: string;
  readonly private_key?: string;
  readonly key_id?: string;
  readonly scope?: string;
  readonly timeout_seconds?: number;
}
