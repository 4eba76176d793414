/** The documents of what members of a server share of the app. */
import { boolean, integer, nullable, object, oneOf, string } from '../../src/contract/schema.ts';

const id = string({ minLength: 1, maxLength: 128 });

export const sharedDocuments = {
  /**
   * A file of a directory that members share (shared-directory.ts); id `<directory>/<path>`. Its content is in pieces, each of them
   * base64 of the bytes from `at` on.
   */
  shared_files: object({
    id: string({ minLength: 1, maxLength: 1024 }),
    directory: id,
    content: id,
    bytes: integer({ minimum: 0 }),
  }),
  shared_pieces: object({ id, directory: id, content: id, at: integer({ minimum: 0 }), bytes: string() }),
  /** Sessions in browsers; the id is a hash of the cookie. */
  app_sessions: object({ id, desk: id, locked: boolean() }),
  /** Sessions of operators in browsers; the id is a hash of the cookie, and times are ms since 1970. */
  operator_sessions: object({
    id,
    user: nullable(object({ id, display_name: string() })),
    role: oneOf(['operator', 'auditor']),
    begun: integer(),
    last: integer(),
  }),
};
