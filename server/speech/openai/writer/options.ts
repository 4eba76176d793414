/** The options of the writer `openai`. */
import { boolean, number, object, string } from '../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../src/contract/schema.ts';

export const writerOptions = object(
  {
    model: string({ minLength: 1, maxLength: 200 }),
    url: string({ minLength: 1, maxLength: 500 }),
  },
  {
    /** Timeout of all requests for one document in seconds. */
    timeout: number({ minimum: 0.1, maximum: 600, default: 20 }),
    /** Whether wording is requested. */
    wording: boolean({ default: true }),
    /** Whether text may travel to another computer unencrypted. */
    insecure: boolean({ default: false }),
  },
);
export type WriterOptions = TypeOf<typeof writerOptions>;
