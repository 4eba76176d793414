/** What JSON bodies and form bodies with audio share. */
import { maxTextLength } from '../../../src/contract/document.ts';

/** Takes the bytes of the audio; called at most once for each body. */
export type AudioSink = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** Bytes that the fields besides the audio may take: text of the greatest length, in UTF-8. */
export const maxFieldBytes = 4 * maxTextLength;
