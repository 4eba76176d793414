/** The options of the recogniser `openai`, as an operator chooses it. */
import { boolean, integer, number, object, oneOf, string } from '../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../src/contract/schema.ts';
import { profileNames } from './profiles.ts';

export const recogniserOptions = object(
  {
    model: string({ minLength: 1, maxLength: 200 }),
    url: string({ minLength: 1, maxLength: 500 }),
  },
  {
    /** Which server it is, where the address does not tell. */
    profile: oneOf(profileNames),
    /** Seconds for each request. */
    timeout: number({ minimum: 0.1, maximum: 600, default: 180 }),
    /** Requests at once. Default: as the profile says. */
    at_once: integer({ minimum: 1, maximum: 64 }),
    /** Seconds of sound in a request. Default: as the profile says. */
    seconds: integer({ minimum: 10, maximum: 600 }),
    /** Whether terms of the exam are sent. */
    prompt: boolean({ default: true }),
    /** Whether sound may go to another computer unencrypted. */
    insecure: boolean({ default: false }),
  },
);
export type RecogniserOptions = TypeOf<typeof recogniserOptions>;
