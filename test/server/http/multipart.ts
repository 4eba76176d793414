/** Forms with a file, byte by byte, so that a test can also cut one off. */

const boundary = 'laudio-test-boundary';

export const multipartType = `multipart/form-data; boundary=${boundary}`;

export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  /** Makes it a file. */
  readonly fileName?: string;
  readonly type?: string;
}

export function multipart(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)));
}

/** The file part that carries dictated audio. */
export const audioPart = (bytes: Uint8Array, type = 'audio/wav'): Part => ({
  name: 'audio',
  value: bytes,
  fileName: 'dictation.wav',
  type,
});
