/** Decodes base64 that arrives in pieces (RFC 4648 4, strictly: no line breaks, padding only at the end). */
import { validationFailed } from '../../../src/contract/errors.ts';

const quartets = /^[A-Za-z0-9+/]*={0,2}$/;

export interface Base64Decoder {
  /** Decodes the next piece; returns the complete bytes so far. */
  decode(text: string): Uint8Array;
  /** Refuses truncated input. */
  end(): void;
}

/** `field` names the field in errors (VALIDATION_FAILED, INVALID_FORMAT). */
export function base64Decoder(field: string): Base64Decoder {
  let rest = '';
  let padded = false;
  const refuse = (): never => {
    throw validationFailed([{ field, message: `${field} must be base64`, code: 'INVALID_FORMAT' }]);
  };
  return {
    decode(text) {
      const all = rest + text;
      const complete = all.slice(0, all.length - (all.length % 4));
      rest = all.slice(complete.length);
      if (complete !== '') {
        if (padded || !quartets.test(complete)) refuse();
        padded = complete.endsWith('=');
      }
      return Buffer.from(complete, 'base64');
    },
    end() {
      if (rest !== '') refuse();
    },
  };
}
