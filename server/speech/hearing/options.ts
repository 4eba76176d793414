/** Options of every recogniser about what is asked. */
import { boolean, number, string } from '../../../src/contract/schema.ts';

export const hearingOptions = {
  /** Whether sound with facts is heard twice. */
  twice: boolean({ default: true }),
  /** The doubt from which on a person is asked. */
  doubt: number({ minimum: 0, maximum: 1, default: 0.3 }),
  /** Another model of the same place for the second hearing; by default the same one, with other cuts. */
  second: string({ minLength: 1, maxLength: 200 }),
} as const;
