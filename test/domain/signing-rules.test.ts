import { describe, expect, test } from 'vitest';
import { recordStatuses } from '../../src/contract/document.ts';
import { signsAs, findStanding, decideStep } from '../../src/domain/signing-rules.ts';
import type { Standing, Step, SigningRequest } from '../../src/domain/signing-rules.ts';

const people: readonly Standing[] = ['nobody', 'resident', 'signatory', 'attending'];

/** What becomes of the document for each of the people; `no`: 403. */
const table: Readonly<Record<'draft' | 'preliminary', Readonly<Record<SigningRequest, string>>>> = {
  draft: {
    change: 'draft edited | draft edited | draft edited | draft edited',
    draft: 'draft edited | draft edited | draft edited | draft edited',
    preliminary: 'no | preliminary preliminary | preliminary preliminary | no',
    final: 'final signed | no | no | final signed',
  },
  preliminary: {
    change: 'no | no | draft reopened | preliminary edited',
    draft: 'no | no | draft reopened | draft sent_back',
    preliminary: 'no | no | preliminary preliminary | preliminary edited',
    final: 'no | no | no | final signed',
  },
};

describe.each(['draft', 'preliminary'] as const)('a %s document', (status) => {
  test.each<SigningRequest>(['change', ...recordStatuses])('asked for: %s', (wish) => {
    const outcome = (by: Standing): string => {
      try {
        const step: Step = decideStep(status, wish, by);
        return `${step.status} ${step.change}`;
      } catch (error) {
        expect(error).toMatchObject({ code: 'FORBIDDEN', details: { status }, hint: expect.any(String) });
        return 'no';
      }
    };
    expect(people.map(outcome).join(' | ')).toBe(table[status][wish]);
  });
});

test('a refused status names the one to ask for', () => {
  expect(() => decideStep('draft', 'final', 'resident')).toThrow(
    expect.objectContaining({ details: { status: 'draft', allowed: ['preliminary'] } }),
  );
  expect(() => decideStep('draft', 'preliminary', 'attending')).toThrow(
    expect.objectContaining({ details: { status: 'draft', allowed: ['final'] } }),
  );
});

test('a signature is that of a resident as long as the operator says so', () => {
  expect(findStanding('resident', true)).toBe('signatory');
  expect(findStanding('attending', true)).toBe('attending');
  expect(findStanding(undefined, true)).toBe('nobody');
  expect([signsAs('resident'), signsAs('attending'), signsAs(null)]).toEqual(['preliminary', 'final', 'final']);
});
