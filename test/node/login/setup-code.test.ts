/** The code in the terminal of a server, as people read and type it. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { isSetupCode, makeSetupCode } from '../../../src/node/login/setup-code.ts';

test('has ten characters that nobody takes for others, and each is another', () => {
  const codes = Array.from({ length: 200 }, makeSetupCode);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(new Set(codes).size).toBe(200);
});

test('is known however it is typed, and nothing else is', () => {
  const code = '4F0K1-2QDXM';
  for (const typed of [code, '4f0k1-2qdxm', ' 4F0K1 2QDXM ', '4F0K12QDXM', '4FOKl2QDXM', '4fokI–2qdxm'])
    expect(isSetupCode(typed, code), typed).toBe(true);
  for (const typed of ['', '-', '4F0K1', '2QDXM-4F0K1', '4F0K1-2QDXN', '4F0K1-2QDXM0'])
    expect(isSetupCode(typed, code), typed).toBe(false);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (typed) => !isSetupCode(typed, makeSetupCode())));
});
