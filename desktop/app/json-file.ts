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
export function jsonFile<T>(path: string, schema: Schema<T>, sealing?: Sealing): JsonFile<T> {
  const inOrder = createOrder();
  const read = async (): Promise<T | undefined> => {
    try {
      const value: unknown = JSON.parse((await readPrivateFile(path, sealing)) ?? 'null');
      return value !== null && conforms(schema, value) ? (value as T) : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof AppError) return undefined;
      throw error;
    }
  };
  return {
    read: () => inOrder(read),
    write: (value) => inOrder(() => writePrivateFile(path, JSON.stringify(value), sealing)),
    remove: () => inOrder(() => removePrivateFile(path)),
  };
}
