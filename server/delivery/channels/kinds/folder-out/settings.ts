/** The settings of folder-out. */
import { exportFormatNames } from '../../../../../src/contract/export.ts';
import { object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { routingSettings } from '../../sending/routing.ts';

export const folderOutSettings = object(
  {
    path: string({
      minLength: 1,
      maxLength: 1000,
      pattern: '^(/|[A-Za-z]:[\\\\/]|\\\\\\\\)',
      'x-error-message': 'path must be the whole path of a folder, from the root on',
      description: 'The folder into which the server writes, as a whole path.',
    }),
  },
  {
    format: oneOf(exportFormatNames, { default: 'pdf', description: 'Format of the files.' }),
    readers: oneOf(['owner', 'group', 'everybody'], {
      default: 'group',
      description: 'Who may read the files: the user of the server alone, also the group of the folder, or everybody.',
    }),
    ...routingSettings,
  },
);
export type FolderOutSettings = TypeOf<typeof folderOutSettings>;
