/** The settings of folder-in. */
import { integer, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { formatNames } from '../../../../../src/domain/worklist-formats.ts';
import { readingSettings } from '../../receiving/reading-settings.ts';

export const folderInSettings = object(
  {
    path: string({
      minLength: 1,
      maxLength: 1000,
      pattern: '^(/|[A-Za-z]:[\\\\/]|\\\\\\\\)',
      'x-error-message': 'path must be the absolute path of a folder',
      description: 'Absolute path of the folder that another system puts its files into.',
    }),
  },
  {
    format: oneOf(formatNames, { description: 'Format of the files. Default: what each shows.' }),
    ...readingSettings,
    interval_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 2,
      description: 'Interval between checks of the folder.',
    }),
    stable_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 3,
      description: 'How long a file must be unchanged before it is read.',
    }),
    max_mib: integer({ minimum: 1, maximum: 1024, default: 64, description: 'Maximum size of a file, in MiB.' }),
  },
);
export type FolderInSettings = TypeOf<typeof folderInSettings>;
