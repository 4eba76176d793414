/**
 * Writes documents into a folder. Readers never see a partial file. Names consist of ids, so that a version replaces its own
 * file, and no name identifies a patient.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../../src/contract/errors.ts';
import { beginReplacing, replaceFile } from '../../../../../src/node/files/replace-file.ts';
import { explain, isSystemError } from '../../../../../src/node/system-error.ts';
import { fileExtension } from '../../../formats/export-record.ts';
import type { OutboundMessage, ChannelConfig, Sender } from '../../channel.ts';
import { retryLater } from '../../failures.ts';
import type { FolderOutSettings } from './settings.ts';
import { elementAt } from '../../../../../src/domain/elements.ts';

const modes = { owner: 0o600, group: 0o640, everybody: 0o644 } as const;

/** Rejects with CONFIGURATION if the folder is not writable. */
export async function openFolder({ settings }: ChannelConfig<FolderOutSettings>): Promise<Sender> {
  const { path, format = 'pdf', readers = 'group' } = settings;
  await check(path);
  return {
    address: path,
    formats: [format],
    async test() {
      await check(path);
      return 'The server can write into the folder.';
    },
    async send(message) {
      try {
        await replaceFile(join(path, fileName(message, fileExtension(format))), async (file) => {
          await file.chmod(modes[readers]);
          await file.writeFile(elementAt(message.contents, 0));
        });
        return { state: 'delivered' };
      } catch (error) {
        if (!isSystemError(error)) throw error;
        return retryLater('NOT_WRITTEN', explain(error).message);
      }
    },
    close: async () => {},
  };
}

/** Names sort by document, then by version. */
const fileName = ({ report: { record } }: OutboundMessage, ending: string): string =>
  `${record.id}.${String(record.version).padStart(6, '0')}.${ending}`;

async function check(path: string): Promise<void> {
  const unfit = (message: string, hint: string): AppError => new AppError('CONFIGURATION', { message, hint });
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw unfit('The folder does not exist.', 'Create it, or set another one: --set path=….');
  try {
    await (await beginReplacing(join(path, 'trial'))).discard();
  } catch {
    throw unfit('The server may not write into the folder.', 'Give its user write permission.');
  }
}
