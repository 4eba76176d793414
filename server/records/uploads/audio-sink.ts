/** Limits and types that bodies with audio share, in JSON and in forms. */
import { maxTextLength } from '../../../src/contract/document.ts';

/** Receives the audio's bytes; called at most once per body. */
export type AudioSink = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** Limit for the other fields: text of maximum length in UTF-8. */
export const maxFieldBytes = 4 * maxTextLength;
