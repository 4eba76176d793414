/** Chooses the stores of a command: those of the server that it starts, or of the data directory that it reads. */
import { choices, storeParts } from '../../src/node/choices.ts';
import { chooseSetting } from '../shell/choose-setting.ts';
import { text } from '../command.ts';
import type { Context } from '../context.ts';

export const storeOptions = {
  store: text(
    'Document store: lowdb, in the data directory; memory, which keeps nothing; or postgres://USER@HOST/DATABASE; default: lowdb',
    {
      placeholder: 'CHOICE',
    },
  ),
  blobs: text(
    'Audio store: files, in the data directory, s3://HOST/BUCKET, or memory; default: files, or memory with that document store',
    {
      placeholder: 'CHOICE',
    },
  ),
};

export const chooseStores = (
  context: Context,
  { store, blobs }: { readonly store: string | undefined; readonly blobs: string | undefined },
) =>
  choices(
    storeParts,
    { store: chooseSetting(context, 'store', store), blobs: chooseSetting(context, 'blobs', blobs) },
    context.env,
  );
