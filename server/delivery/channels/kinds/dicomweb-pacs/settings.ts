/** The settings of dicomweb-pacs. */
import { object, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { pacsSettings } from '../pacs/settings.ts';
import { webServiceSettings } from '../web/settings.ts';

export const dicomWebPacsSettings = object(webServiceSettings.required, {
  ...webServiceSettings.optional,
  scope: string({ minLength: 1, maxLength: 2000, description: 'Requested scope. Default: none.' }),
  ...pacsSettings,
});
export type DicomWebPacsSettings = TypeOf<typeof dicomWebPacsSettings>;
