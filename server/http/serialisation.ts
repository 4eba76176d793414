/** Answers as JSON text, written by the contract's schema: a field that is not declared never leaves. */
import { createRequire } from 'node:module';
import type fastJsonStringify from 'fast-json-stringify';
import type { AnySchema } from 'fast-json-stringify';
import type { Schema } from '../../src/contract/schema.ts';

const require = createRequire(import.meta.url);

/**
 * Makes the serialiser of a schema. The first value compiles it, so that compiling does not delay the start of a
 * server.
 */
export function createSerializer(schema: Schema): (value: unknown) => string {
  let write: ((value: unknown) => string) | undefined;
  return (value) => {
    write ??= (require('fast-json-stringify') as typeof fastJsonStringify)(schema as AnySchema);
    return write(value);
  };
}
