/** What both kinds of bodies with audio have in common. */
import { maxTextLength } from '../../src/contract/document.ts';

/** Where the bytes of the audio go; called at most once a body. */
export type AudioSink = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** Bytes that the fields besides the audio may take: text of the greatest length, in UTF-8. */
export const maxFieldBytes = 4 * maxTextLength;
