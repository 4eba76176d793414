/** Acknowledgements in the mode, the version and the form that the sender wants. */
import { beforeAll, expect, test } from 'vitest';
import { framed } from '../../../../src/protocols/mllp/frames.ts';
import { startApi } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { field, hl7Channels, segment } from '../../../support/hl7-channels.ts';
import { orderMessage } from '../../../support/mllp.ts';

let api: Api;
beforeAll(async () => void (api = await startApi()));
const { listening } = hl7Channels(() => api);

/** The message as one of that version, whose sender asks for these acknowledgements (MSH-15, MSH-16). */
const asking = (message: string, { version = '2.5.1', accept = '', application = '' }): string =>
  message.replace('|2.5.1||||||', `|${version}|||${accept}|${application}||`);

/** Another patient under the number of the first exam. */
const bad = (id: string): string => orderMessage({ id, accession: 'H-M', patient: 'P2', name: 'SAMPLE^PATIENT' });

test.each([
  ['AL', 'NE', 'CA', 'CE'],
  ['al', '', 'CA', 'CE'],
  ['AL', 'AL', 'AA', 'AE'],
  ['NE', 'AL', 'AA', 'AE'],
  ['', 'AL', 'AA', 'AE'],
  ['AL', 'ER', 'CA', 'AE'],
  ['NE', 'ER', undefined, 'AE'],
  ['NE', 'SU', 'AA', undefined],
  ['ER', 'NE', undefined, 'CE'],
  ['SU', 'NE', 'CA', undefined],
  ['NE', 'NE', undefined, undefined],
  ['XX', 'NE', 'CA', 'CE'],
])(
  'of MSH-15 %j and MSH-16 %j is %s where the message is taken, and %s where it is refused',
  async (accept, application, taken, refused) => {
    const { peer, queue } = await listening();
    const wishes = { accept, application };
    const ends = orderMessage({ id: 'END', accession: 'H-M' });
    for (const [message, expected] of [
      [orderMessage({ id: 'M', accession: 'H-M' }), taken],
      [bad('B'), refused],
    ] as const) {
      peer.socket.write(framed(Buffer.from(asking(message, wishes))));
      // What comes first tells whether the message before was answered.
      const first = await peer.ask(ends);
      expect([field(first, 'MSA', 1), field(first, 'MSA', 2)]).toEqual(
        expected === undefined ? ['AA', 'END'] : [expected, field(message, 'MSH', 10)],
      );
      if (expected !== undefined) expect(field(await peer.answer(), 'MSA', 2)).toBe('END');
    }
    expect((await queue()).map(({ state }) => state).toSorted()).toEqual(['refused', 'taken', 'taken']);
  },
);

test('of a repetition is the one of before, and none where none was wanted', async () => {
  const { peer, queue } = await listening();
  const quiet = asking(orderMessage({ id: 'Q', accession: 'H-Q' }), { accept: 'NE', application: 'NE' });
  for (let time = 0; time < 2; time++) peer.socket.write(framed(Buffer.from(quiet)));
  const loud = asking(orderMessage({ id: 'L', accession: 'H-L' }), { accept: 'AL', application: 'NE' });
  const first = await peer.ask(loud);
  expect(segment(first, 'MSA')).toEqual(['MSA', 'CA', 'L']);
  expect(await peer.ask(loud)).toBe(first);
  expect(await queue()).toHaveLength(2);
});

test('before version 2.5 has the faults in ERR-1, and the first in words in MSA-3', async () => {
  const { peer } = await listening();
  await peer.ask(orderMessage({ id: 'M', accession: 'H-M' }));
  for (const version of ['2.1', '2.3', '2.4']) {
    const answer = await peer.ask(asking(bad(`V${version}`), { version }));
    expect(segment(answer, 'ERR')).toEqual(['ERR', 'PID^1^3^205&Duplicate key identifier&HL70357']);
    expect(field(answer, 'MSA', 3)).not.toBe('');
    expect(field(answer, 'MSA', 3).length).toBeLessThanOrEqual(80);
    expect(field(answer, 'MSA', 3)).toMatch(/^(?:[^\\]|\\[EFSRT]\\)*$/);
    // What it has no room for is whole in MSA-6, where the version has that.
    expect(field(answer, 'MSA', 3)).toMatch(/\.$|\w\.\.\.$/);
    const whole = segment(await peer.ask(asking(bad(`W${version}`), { version: '2.5' })), 'ERR')[8];
    expect(segment(answer, 'MSA')[6]).toBe(version === '2.1' ? undefined : `205^${whole}^HL70357`);
  }
  const answer = await peer.ask(asking(bad('V5'), { version: '2.5' }));
  expect(segment(answer, 'ERR').slice(0, 5)).toEqual([
    'ERR',
    '',
    'PID^1^3^1^1',
    '205^Duplicate key identifier^HL70357',
    'E',
  ]);
  expect(segment(answer, 'MSA')).toHaveLength(3);
});

test('of what is no HL7 is a plain ACK', async () => {
  const { peer } = await listening();
  const answer = await peer.ask('hello');
  expect([field(answer, 'MSH', 9), field(answer, 'MSA', 1)]).toEqual(['ACK', 'AR']);
  const untyped = await peer.ask(orderMessage({ id: 'U' }).replace('ORM^O01^ORM_O01', 'ORM'));
  expect(field(untyped, 'MSH', 9)).toBe('ACK');
});
