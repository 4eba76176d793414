/** Ids that the service makes, as opposed to those that a client chose, which may say anything. */
import { builtInClientId } from '../../src/contract/oauth.ts';

/** Those of storage/ids.ts: a prefix and a ULID of this millennium. */
const idForm = /^[a-z]{2,4}(?:_tc)?_0[0-9A-HJKMNP-TV-Z]{25}$/;

/** The id that a client chose may say anything, so that the trail has none then. */
export const ownIdOrNull = (text: string): string | null => (isOwnId(text) ? text : null);

export const isOwnId = (text: string): boolean => idForm.test(text) || text === builtInClientId;
