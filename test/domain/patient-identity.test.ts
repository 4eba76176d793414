import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { matchPatient } from '../../src/domain/patient-identity.ts';
import { displayName } from '../../src/domain/person-name.ts';
import { isSameName } from '../../src/domain/same-name.ts';

describe('one name', () => {
  test.each([
    ['SILVA^JOAO', 'silva^joão'],
    ['SILVA^JOAO^^DR', 'SILVA^JOAO'],
    ['SILVA^JOAO', 'João Silva'],
    ['SILVA^JOAO^^DR', 'Dr. João Silva'],
    ['SILVA^JOAO', 'SILVA JOAO'],
    ['SILVA^JOAO', 'Silva, João'],
    ['SILVA^JOAO^PEDRO', 'SILVA^JOAO PEDRO'],
    ['DA SILVA^JOAO', 'SILVA^JOAO DA'],
    ['SOUZA^ANA^^^NETA', 'Ana Souza, Neta'],
    ['O’BRIEN^MARY-JANE', "O'Brien^Mary Jane"],
    ['OBRIEN^MARY', "O'BRIEN^MARY"],
    ['STRAUSS^ANNA', 'Strauß^Anna'],
    ['  SILVA ^ JOAO^^^', 'SILVA^JOAO'],
    ['Yamada^Tarou=山田^太郎=やまだ^たろう', 'YAMADA^TAROU'],
    ['Yamada^Tarou=山田^太郎', '山田^太郎'],
    ['Yamada^Tarou=Yamada^Tarou', 'Yamada^Tarou=山田^太郎'],
    ['ﾔﾏﾀﾞ^ﾀﾛｳ', 'ヤマダ^タロウ'],
    ['Jo\u0301zef', 'Józef'],
  ])('%j and %j', (one, other) => {
    expect(isSameName(one, other)).toBe(true);
    expect(isSameName(other, one)).toBe(true);
  });

  test.each([
    ['SILVA^JOAO', 'SILVA^JOSE'],
    ['SILVA^JOAO', 'SILVA^JOAQ'],
    ['SILVA^JOAO', 'SILVA^JO?O'],
    ['SILVA^JOAO', 'SILVA^JO\ufffdO'],
    ['SILVA^MARIA^JOSE', 'SILVA^JOSE^MARIA'],
    ['MARIA^JOSE', 'JOSE^MARIA'],
    ['SILVA^JOAO', 'SILVA^JOAO^^^JR'],
    ['SILVA^JOAO', 'SILVA^JOAO^PEDRO'],
    ['Yamada^Tarou=山田^太郎', 'Yamada^Tarou=山田^太朗'],
    ['Yamada^Tarou=山田^太郎=やまだ^たろう', 'Yamada^Tarou=山田^太朗'],
    ['राम', 'रमा'],
    ['بدر', 'بدري'],
    ['', ''.padStart(3, '^')],
    ['^^', '=='],
    ['???', '???!'],
  ])('not of %j and %j', (one, other) => {
    expect(isSameName(one, other)).toBe(false);
    expect(isSameName(other, one)).toBe(false);
  });

  const part = fc.string({ unit: fc.constantFrom(..."ABZaszÀÉßñøõÿ '-"), maxLength: 10 });
  const names = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('^'))
    .filter((name) => /\p{L}/u.test(name.split('^').toSpliced(3, 1).join('')));

  test('is one however it is written: shown, in capitals, without accents, with spaces', () => {
    fc.assert(
      fc.property(names, (name) => {
        const writings = [
          displayName(name),
          name.toUpperCase(),
          name.toLowerCase(),
          name.normalize('NFD'),
          name.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
          ` ${name.replaceAll(' ', '  ')} `,
        ];
        for (const writing of writings) {
          expect(isSameName(name, writing), `${name} / ${writing}`).toBe(true);
          expect(isSameName(writing, name), `${name} / ${writing}`).toBe(true);
        }
      }),
    );
  });

  test('is another with one letter more, less, or other; whatever is compared, both ways alike', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 2, maxLength: 8 });
    const plain = fc.tuple(letters, letters).map(([family, given]) => `${family}^${given}`);
    fc.assert(
      fc.property(plain, fc.nat(), fc.constantFrom('', 'Q', 'Ω', '1', '山'), (name, at, letter) => {
        const place = at % name.length;
        fc.pre(name[place] !== '^' && name[place] !== letter);
        expect(isSameName(name, name.slice(0, place) + letter + name.slice(place + 1))).toBe(false);
      }),
    );
    const anything = fc.string({ unit: fc.constantFrom(...'AaÁ^=, \0\u0301山?İıß', '\ud800'), maxLength: 8 });
    fc.assert(
      fc.property(anything, anything, (one, other) => {
        expect(isSameName(one, other)).toBe(isSameName(other, one));
      }),
    );
  });
});

describe('one patient', () => {
  const ana = { patient_id: '0045871', patient_name: 'SOUZA^ANA', patient_birth_date: '1971-06-14' };
  const unborn = { ...ana, patient_birth_date: null };
  const rui = { patient_id: '77', patient_name: 'COSTA^RUI', patient_birth_date: '1990-01-01' };

  test.each([
    // What is stored, what is sent, whose it is, what differs.
    [ana, {}, 'same', undefined],
    [ana, ana, 'same', undefined],
    [ana, { patient_name: 'Ana Souza' }, 'same', undefined],
    [unborn, { ...ana }, 'same', undefined],
    [ana, { patient_id: '0045871', patient_birth_date: null }, 'same', undefined],
    [ana, { ...ana, patient_name: 'SOUSA^ANA' }, 'corrected', ['patient_name']],
    [ana, { patient_name: 'SOUSA^ANA' }, 'corrected', ['patient_name']],
    [unborn, { ...rui, patient_id: '0045871' }, 'corrected', ['patient_name']],
    [ana, { ...ana, patient_birth_date: '1971-06-15' }, 'corrected', ['patient_birth_date']],
    [ana, { ...ana, patient_id: '45871' }, 'corrected', ['patient_id']],
    [ana, { ...ana, patient_id: '0045872', patient_name: 'Ana Souza' }, 'corrected', ['patient_id']],
    [ana, rui, 'another', ['patient_id', 'patient_name', 'patient_birth_date']],
    [ana, { patient_id: '77', patient_name: 'COSTA^RUI' }, 'another', ['patient_id', 'patient_name']],
    [ana, { patient_id: '77' }, 'another', ['patient_id']],
    [ana, { patient_id: '77', patient_name: 'SOUZA^ANA' }, 'another', ['patient_id']],
    [ana, { ...ana, patient_id: '77', patient_birth_date: null }, 'another', ['patient_id']],
    [unborn, { ...ana, patient_id: '77' }, 'another', ['patient_id']],
    [ana, { patient_id: '77', patient_birth_date: '1971-06-14' }, 'another', ['patient_id']],
    [ana, { ...rui, patient_name: 'SOUZA^ANA' }, 'another', ['patient_id', 'patient_birth_date']],
    [{ ...ana, patient_name: '??' }, { ...ana, patient_name: '??', patient_id: '77' }, 'another', ['patient_id']],
    [ana, { ...rui, patient_id: '0045871' }, 'another', ['patient_name', 'patient_birth_date']],
    [
      ana,
      { patient_name: 'COSTA^RUI', patient_birth_date: '1990-01-01' },
      'another',
      ['patient_name', 'patient_birth_date'],
    ],
    [ana, { ...ana, patient_id: '0045871 ' }, 'corrected', ['patient_id']],
  ] as const)('%j, then %j: %s', (stored, sent, patient, fields) => {
    const match = matchPatient(stored, sent);
    expect(match.patient).toBe(patient);
    expect('fields' in match ? match.fields : 'differs' in match ? match.differs : undefined).toEqual(fields);
  });

  test('with another id is never the same one unless name and birth date both say so', () => {
    const value = <T>(...values: T[]) => fc.constantFrom(...values);
    const facts = {
      patient_id: value('1', '01', '2'),
      patient_name: value('SOUZA^ANA', 'Ana Souza', 'COSTA^RUI', '??'),
      patient_birth_date: value('1971-06-14', '1990-01-01', null),
    };
    fc.assert(
      fc.property(fc.record(facts), fc.record(facts, { requiredKeys: [] }), (stored, sent) => {
        const { patient } = matchPatient(stored, sent);
        const isProved =
          sent.patient_name !== undefined &&
          isSameName(stored.patient_name, sent.patient_name) &&
          typeof sent.patient_birth_date === 'string' &&
          sent.patient_birth_date === stored.patient_birth_date;
        if (sent.patient_id !== undefined && sent.patient_id !== stored.patient_id) {
          expect(patient).toBe(isProved ? 'corrected' : 'another');
        }
        expect(matchPatient(stored, stored).patient).toBe('same');
      }),
    );
  });
});
