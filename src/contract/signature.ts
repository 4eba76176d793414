/** Signatures of records that can still be withdrawn, and the PIN with which a person signs (extension). */
import { MedicalRecord } from './document.ts';
import { endpoint, group } from './endpoint.ts';
import { boolean, named, nullable, object, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { RecordId } from './shared.ts';

export const pinPattern = '^[0-9]{4,12}$';
export const Pin = string({
  pattern: pinPattern,
  description: 'The PIN of the user, 4 to 12 digits. The server stores only its hash.',
});

export const PinState = named(
  'PinState',
  object({
    has_pin: boolean({ description: 'Whether the user has a PIN. Then each signature of theirs needs it.' }),
    locked: boolean({
      description: 'Whether too many wrong ones came in a row. The user sets another, or the operator takes it away.',
    }),
  }),
  'The PIN of a user.',
);
export type PinState = TypeOf<typeof PinState>;

export const signatures = group({
  title: 'Signatures',
  description:
    'A signature can be taken back until the record is final. A user with a PIN gives it with each signature.',
  endpoints: {
    takeBack: endpoint({
      method: 'DELETE',
      path: '/api/v1/medical-records/{id}/signing',
      summary: 'Take a signature back',
      description:
        'Ends the signing of a record before it is final: the record is what it was, and anybody may change it again. Only the user who signed can do that; 409 once the record is final. A record that nobody is signing stays as it is.',
      access: 'bearer',
      scope: 'medical_records:write',
      params: object({ id: RecordId }),
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_TRANSITION'],
      extension: true,
    }),
    pin: endpoint({
      method: 'GET',
      path: '/api/v1/pin',
      summary: 'Get whether you sign by a PIN',
      description: 'Of the user who authorized the application; 403 where there is none.',
      access: 'bearer',
      scope: 'medical_records:write',
      answer: 'envelope',
      responses: { 200: PinState },
      errors: ['FORBIDDEN', 'NOT_FOUND'],
      extension: true,
    }),
    setPin: endpoint({
      method: 'PUT',
      path: '/api/v1/pin',
      summary: 'Set your PIN',
      description:
        'From then on each signature needs the PIN; `null` takes it away. 403 where the password is wrong. A PIN that is locked is replaced the same way.',
      access: 'bearer',
      scope: 'medical_records:write',
      body: named(
        'PinUpdate',
        object({
          password: string({ minLength: 1, maxLength: 200, description: 'The password with which the user logs in.' }),
          pin: nullable(Pin),
        }),
        'The new PIN, and the password that proves who sets it.',
      ),
      answer: 'envelope',
      responses: { 200: PinState },
      errors: ['FORBIDDEN', 'NOT_FOUND', 'SERVER_BUSY'],
      extension: true,
    }),
  },
});
