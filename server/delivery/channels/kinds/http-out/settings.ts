/** The settings of http-out. */
import { exportFormatNames } from '../../../../../src/contract/export.ts';
import { integer, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { routingSettings } from '../../sending/routing.ts';
import { tlsFileSettings } from '../../tls-settings.ts';

export const httpOutSettings = object(
  {
    url: string({
      maxLength: 2000,
      pattern: '^https?://[^\\s#@]+$',
      'x-error-message': 'url must begin with http:// or https:// and contain no login',
      description:
        'URL that receives the documents; `{record_id}` and `{version}` are replaced by those of the document.',
      examples: ['https://ris.example/reports/{record_id}'],
    }),
  },
  {
    method: oneOf(['POST', 'PUT'], { default: 'POST', description: 'Method of the request.' }),
    format: oneOf(exportFormatNames, { default: 'fhir', description: 'Format of the documents.' }),
    token: string({
      minLength: 1,
      maxLength: 8000,
      pattern: '^[\\x21-\\x7e]+$',
      writeOnly: true,
      description: 'A token, sent as `Authorization: Bearer`.',
    }),
    ...tlsFileSettings,
    timeout_seconds: integer({
      minimum: 1,
      maximum: 600,
      default: 30,
      description: 'Timeout for an answer.',
    }),
    ...routingSettings,
  },
);
export type HttpOutSettings = TypeOf<typeof httpOutSettings>;
