/** The person's signing PIN. The session's state includes whether it is set. */
import { Pin, pinPattern, PinState } from '../../src/contract/signature.ts';
import { nullable, object, string } from '../../src/contract/schema.ts';
import { call } from './call.ts';

const form = new RegExp(pinPattern);
export const isPin = (text: string): boolean => form.test(text);

/** `details.reason` of a refusal to sign or to set a PIN. */
export type PinProblem = 'pin_missing' | 'pin_wrong' | 'pin_locked' | 'password_wrong';

export const pinCalls = {
  'pin.set': call({
    summary: 'Set the PIN by which this person signs, or take it away (`null`)',
    input: object({ password: string({ minLength: 1, maxLength: 200 }), pin: nullable(Pin) }),
    output: PinState,
  }),
} as const;
