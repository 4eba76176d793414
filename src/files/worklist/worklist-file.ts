/** Reads the exams of a worklist file, whatever its format: the door to this folder. */
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import { strangerIn } from './beginning.ts';
import { isAligned } from './csv/header-line.ts';
import { formats } from './formats.ts';
import { formatNames } from '../../domain/worklist-formats.ts';
import type { FormatName } from '../../domain/worklist-formats.ts';
import { checkedMapping } from './mapping-faults.ts';
import type { ReadOptions } from './reading.ts';
import { readRecognised } from './recognised-file.ts';
import type { FileFormats, RecognisedFile } from './recognised-file.ts';

export type WorklistFile = RecognisedFile<FormatName>;

/**
 * Begins to read a file; the source is read as the readings are taken. Items are as the file has them, in the fields of
 * the contract, neither normalised nor checked. Throws (here or while reading) what nothing can be read after, with the
 * position and without content: UNSUPPORTED_MEDIA_TYPE where it is no worklist, INVALID_JSON or VALIDATION_FAILED where
 * it is broken, PAYLOAD_TOO_LARGE beyond a limit, USAGE for options that mean nothing.
 */
export async function readWorklist(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<WorklistFile> {
  if (options.mapping) checkedMapping(options.mapping);
  return readRecognised(source, options, worklists);
}

const alignedTable = { what: fileMessage('aligned_table'), hint: fileMessage('save_xlsx_or_csv') };

const worklists: FileFormats<FormatName> = {
  names: formatNames,
  formats,
  refuse(beginning) {
    const stranger = strangerIn(beginning) ?? (isAligned(beginning) ? alignedTable : undefined);
    return new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: stranger ? fileMessage('no_worklist', { what: stranger.what }) : fileMessage('unknown_format'),
      hint: stranger?.hint ?? fileMessage('known_formats', { formats: formatNames.join(', ') }),
    });
  },
};
