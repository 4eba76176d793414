/** `multipart/form-data` (RFC 7578), encoded while the file is read. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import type { Form, OutgoingFile } from '../../client/transport.ts';

export interface EncodedForm {
  readonly contentType: string;
  /** In bytes; `undefined` when the file's size is not known. */
  readonly size: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** As browsers escape a name in a header parameter (HTML, "multipart/form-data encoding algorithm"). */
const quoted = (name: string): string => `"${name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))}"`;

/**
 * The fields precede the file, so that a server knows how to handle the file when it begins. The file has a fixed name:
 * a real one could identify a patient.
 */
export function encodeForm({ fields, file, part, fileName = part }: Form): EncodedForm {
  const boundary = `laudio-${randomUUID()}`;
  const head = Buffer.from(
    [
      ...Object.entries(fields).flatMap(([name, values]) =>
        [values]
          .flat()
          .map((value) => `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}\r\n\r\n${value}\r\n`),
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(part)}; filename=${quoted(fileName)}\r\n`,
      `Content-Type: ${file.contentType.replace(/[\r\n]/g, '')}\r\n\r\n`,
    ].join(''),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: file.size === undefined ? undefined : head.length + file.size + tail.length,
    body: (async function* () {
      yield head;
      yield* readPieces(file);
      yield tail;
    })(),
  };
}

/** An unreadable file is an error of the caller, not of the network. */
async function* readPieces(file: OutgoingFile): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* file.open();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = Object(error) as { code?: unknown };
    throw new AppError('USAGE', {
      message: `The file could not be read (${typeof code === 'string' ? code : 'error'}).`,
    });
  }
}
