import { boolean, object, oneOf, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { places } from '../../bridge/session.ts';

/** The person and the service of a login. Its tokens are in the credential store. */
export const Login = object({
  place: oneOf(places),
  server: string(),
  client_id: string(),
  test_mode: boolean(),
  person: object({ id: string(), username: string(), display_name: string() }),
});
export type Login = TypeOf<typeof Login>;
