import { randomBytes } from 'node:crypto';
import * as fc from '../../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';

const key = randomBytes(32);
const salt = randomBytes(16);
const bytes = (text: string): Buffer => Buffer.from(text);
const context = (kind: string, sequence: bigint): Buffer => {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(sequence);
  return Buffer.concat([bytes(kind), number]);
};
const refused = expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' });

describe('sealed tables', () => {
  const file = createSealing(key).forFile(salt);

  test('comes back as it was, whatever it is, and says nothing of itself', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 40 }), (plain, bound) => {
        const sealed = file.seal(plain, bound);
        expect(sealed).toHaveLength(plain.length + file.overhead);
        if (plain.length >= 8) expect(sealed.includes(Buffer.from(plain))).toBe(false);
        expect(file.open(sealed, bound).equals(plain)).toBe(true);
      }),
    );
  });

  test('is opened by another process that has the key', () => {
    const sealed = file.seal(bytes('Test Patient'), bytes('a'));
    expect(createSealing(Buffer.from(key)).forFile(Buffer.from(salt)).open(sealed, bytes('a')).toString()).toBe(
      'Test Patient',
    );
  });

  test('throws where any byte was changed, and wherever it was cut', () => {
    const sealed = file.seal(bytes('Test Patient speaks.'), bytes('a'));
    for (let at = 0; at < sealed.length; at++) {
      for (const bit of [0x01, 0x80]) {
        const changed = Buffer.from(sealed);
        changed[at]! ^= bit;
        expect(() => file.open(changed, bytes('a')), `byte ${at}`).toThrow(refused);
      }
      expect(() => file.open(sealed.subarray(0, at), bytes('a')), `${at} bytes`).toThrow(refused);
    }
    expect(() => file.open(Buffer.concat([sealed, bytes('x')]), bytes('a'))).toThrow(refused);
  });

  test('throws in another place, another file and under another key', () => {
    const sealed = file.seal(bytes('Test Patient'), context('journal', 7n));
    expect(() => file.open(sealed, context('journal', 8n))).toThrow(refused);
    expect(() => file.open(sealed, context('snapshot', 7n))).toThrow(refused);
    expect(() => createSealing(key).forFile(randomBytes(16)).open(sealed, context('journal', 7n))).toThrow(refused);
    expect(() => createSealing(randomBytes(32)).forFile(salt).open(sealed, context('journal', 7n))).toThrow(refused);
  });

  test('never has the same nonce twice, also past the end of the pool', () => {
    const nonces = Array.from({ length: 5000 }, () => file.seal(bytes(''), bytes('')).toString('hex', 0, 12));
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});

test('a key of another length is refused', () => {
  for (const length of [0, 16, 31, 33]) expect(() => createSealing(randomBytes(length))).toThrow(TypeError);
});
