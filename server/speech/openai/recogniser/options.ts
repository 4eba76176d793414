/** The options of the recogniser `openai`. */
import { boolean, integer, number, object, oneOf, string } from '../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../src/contract/schema.ts';
import { hearingOptions } from '../../hearing/options.ts';
import { profileNames } from './profiles.ts';

export const recogniserOptions = object(
  {
    model: string({ minLength: 1, maxLength: 200 }),
    url: string({ minLength: 1, maxLength: 500 }),
  },
  {
    /** The server's profile, if the address doesn't reveal it. */
    profile: oneOf(profileNames),
    /** Timeout of a request in seconds. */
    timeout: number({ minimum: 0.1, maximum: 600, default: 180 }),
    /** Concurrent requests; by default the profile's. */
    at_once: integer({ minimum: 1, maximum: 64 }),
    /** Seconds of audio per request; by default the profile's. */
    seconds: integer({ minimum: 10, maximum: 600 }),
    /** Whether terms of the exam are sent. */
    prompt: boolean({ default: true }),
    ...hearingOptions,
    /** Whether audio may travel to another computer unencrypted. */
    insecure: boolean({ default: false }),
  },
);
export type RecogniserOptions = TypeOf<typeof recogniserOptions>;
