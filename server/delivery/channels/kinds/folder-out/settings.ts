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
      'x-error-message': 'path must be the absolute path of a folder',
      description: 'Absolute path of the folder that the server writes into.',
    }),
  },
  {
    format: oneOf(exportFormatNames, { default: 'pdf', description: 'Format of the files.' }),
    readers: oneOf(['owner', 'group', 'everybody'], {
      default: 'group',
      description: 'Who may read the files: only the user of the server, also the group of the folder, or everybody.',
    }),
    ...routingSettings,
  },
);
export type FolderOutSettings = TypeOf<typeof folderOutSettings>;
