/** A small JSON file that only its owner can read, always written as a whole. */
import { conforms } from '../../src/client/conforms.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from '../../src/node/files/private-file.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';

export interface JsonFile<T> {
  /** `undefined` if the file is missing or damaged, which readers must tolerate. */
  read(): Promise<T | undefined>;
  /** Resolves when the value is on disk; later calls win. */
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/** `sealing` encrypts the file. */
export const jsonFile = <T>(path: string, schema: Schema<T>, sealing?: Sealing): JsonFile<T> =>
  jsonText(
    {
      read: () => readPrivateFile(path, sealing),
      write: (text) => writePrivateFile(path, text, sealing),
      remove: () => removePrivateFile(path),
    },
    schema,
  );

/** A text that is kept whole, wherever. `read` resolves to `undefined` if there is none. */
export interface KeptText {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** The same, wherever the text is kept. */
export function jsonText<T>(text: KeptText, schema: Schema<T>): JsonFile<T> {
  const inOrder = createOrder();
  const read = async (): Promise<T | undefined> => {
    try {
      const value: unknown = JSON.parse((await text.read()) ?? 'null');
      return value !== null && conforms(schema, value) ? (value as T) : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof AppError) return undefined;
      throw error;
    }
  };
  return {
    read: () => inOrder(read),
    write: (value) => inOrder(() => text.write(JSON.stringify(value))),
    remove: () => inOrder(() => text.remove()),
  };
}
