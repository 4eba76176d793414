/** The options of the writer `openai`, as an operator chooses it. */
import { boolean, number, object, string } from '../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../src/contract/schema.ts';

export const writerOptions = object(
  {
    model: string({ minLength: 1, maxLength: 200 }),
    url: string({ minLength: 1, maxLength: 500 }),
  },
  {
    /** Seconds for all that is asked for one document. */
    timeout: number({ minimum: 0.1, maximum: 600, default: 20 }),
    /** Whether wording is asked for, too. */
    wording: boolean({ default: true }),
    /** Whether text may go to another computer unencrypted. */
    insecure: boolean({ default: false }),
  },
);
export type WriterOptions = TypeOf<typeof writerOptions>;
