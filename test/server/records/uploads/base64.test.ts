import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { base64Decoder } from '../../../../server/records/uploads/base64.ts';

const decodeInPieces = (text: string, cuts: readonly number[]): Buffer => {
  const decoder = base64Decoder('audio.data');
  const ends = [...cuts.map((cut) => Math.min(cut, text.length)), text.length].toSorted((a, b) => a - b);
  const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  const bytes = Buffer.concat(pieces.map((piece) => decoder.decode(piece)));
  decoder.end();
  return bytes;
};

test('wherever the text is cut, the bytes are the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(fc.nat(80)), (bytes, cuts) => {
      expect(decodeInPieces(Buffer.from(bytes).toString('base64'), cuts)).toEqual(Buffer.from(bytes));
    }),
  );
});

test.each([
  'A',
  'AB',
  'ABC',
  'AB=C',
  '====',
  'AA==AAAA',
  'AAA=AAA=',
  'AA A',
  'AAA\n',
  'AA-_',
  'AAA='.repeat(2),
  'é===',
])('%j is refused, wherever it is cut', (text) => {
  for (let cut = 0; cut <= text.length; cut++) {
    expect(() => decodeInPieces(text, [cut])).toThrowError(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  }
});
