/** Who calls. */
import { AppError } from '../../src/contract/errors.ts';
import type { Caller } from './call.ts';

/** The name under which a caller does what it does. */
export const whoIs = ({ user, client_name }: Caller): string => user?.display_name ?? client_name;

/** The person who acts. FORBIDDEN for an application that acts for itself: `what` a person alone does, and a hint. */
export function getPersonId({ user }: Caller, what: string, hint: string): NonNullable<Caller['user']> {
  if (user) return user;
  throw new AppError('FORBIDDEN', { message: `Only a person ${what}.`, hint });
}
