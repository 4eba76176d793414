import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import * as fc from '../../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAcknowledgement, toSendResult } from '../../../../server/delivery/channels/kinds/hl7-out/verdict.ts';
import { hl7Report } from '../../../../server/delivery/formats/hl7.ts';
import { encodeHl7 } from '../../../../server/delivery/formats/hl7/character-sets.ts';
import { contract } from '../../../../src/contract/index.ts';
import { startApi } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { acknowledged, fieldOf, hl7Receiver } from '../../../support/hl7-receiver.ts';
import { createOutbox } from '../../../support/outbox.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { channelOutSuite } from '../../../suites/channel-out.suite.ts';

const internalError = 'ERR||PID^1^5|207^Application internal error^HL70357|E||||SILVA^JOSE';

describe('hl7-out', () => {
  channelOutSuite({
    kind: 'hl7-out',
    troubles: ['full', 'silent', 'gone'],
    refuses: true,
    async peer() {
      const ris = await hl7Receiver();
      const answers: string[] = [];
      const take = (control: string, message: Buffer): string => {
        answers.push(`${fieldOf(message, 'OBR', 18)} ${fieldOf(message, 'OBR', 25)}`);
        return acknowledged(control);
      };
      ris.answer = take;
      return {
        settings: { host: '127.0.0.1', port: ris.port, answer_seconds: 1 },
        received: () => answers,
        async be(mode) {
          await (mode === 'gone' ? ris.stop() : ris.start());
          ris.answer = {
            well: take,
            gone: take,
            silent: () => undefined,
            full: (control: string) => acknowledged(control, 'AR', 'SILVA^JOSE', internalError),
            refusing: (control: string) =>
              acknowledged(control, 'AE', 'no TESTE', 'ERR||PID^1^5|103^x^HL70357|E||||SILVA'),
          }[mode];
        },
      };
    },
  });

  test('has the names, the character set and the PDF of its settings, and one id at every attempt', async () => {
    const outbox = createOutbox();
    const ris = await hl7Receiver();
    ris.answer = (control) =>
      ris.messages.length === 1 ? acknowledged(control, 'CR', '', internalError) : acknowledged(control, 'CA');
    const channel = await outbox.channel('hl7-out', {
      host: '127.0.0.1',
      port: ris.port,
      sending_application: 'LAU|DIO^1.2.3^ISO',
      receiving_application: 'RIS',
      receiving_facility: 'São Lucas',
      character_set: '8859/1',
      pdf: 'link',
      pdf_link: 'https://ris.example/r/{record_id}?v={version}&a=1',
    });
    await outbox.attach(channel);
    await outbox.document('A', 'F');
    await eventually(() => {
      outbox.clock.advance(1000);
      expect(ris.messages).toHaveLength(2);
    });
    const [first, second] = ris.messages as [Buffer, Buffer];
    expect(second).toEqual(first);
    const header = first.toString('latin1').split('\r')[0]!.split('|');
    expect(header.slice(2, 6)).toEqual(['LAU\\F\\DIO^1.2.3^ISO', 'HSL', 'RIS', 'São Lucas']);
    expect(header[9]).toMatch(/^[0-9A-F]{20}$/);
    expect(header[17]).toBe('8859/1');
    expect(first.toString('latin1')).toContain('Pulmões');
    const link = first
      .toString('latin1')
      .split('\r')
      .find((segment) => segment.includes('|RP|'));
    expect(link).toContain('https://ris.example/r/rec_A?v=1\\T\\a=1^^application^pdf');
    expect(first.includes('|ED|')).toBe(false);
    expect(ris.sockets.size).toBe(1);
  });

  test('has no name of its own that is longer than HD.1, unless it is an id', async () => {
    const api = await startApi({}, onTestFinished);
    const add = (name: string) => {
      const settings = { host: '127.0.0.1', port: 1, sending_application: name, sending_facility: name };
      const body = { name: 'ris', kind: 'hl7-out', enabled: false, settings };
      return api.call(contract.channels.endpoints.add, { body });
    };
    for (const name of ['LAUDIO-OF-SÃO-LUCAS-2', 'A^B^LONG-TYPE', 'A^B^C^D']) {
      const { errors } = (await add(name)).error.details;
      expect(errors.map(({ field }) => field)).toEqual(['settings.sending_application', 'settings.sending_facility']);
      expect(errors[0]!.message).toMatch(/sending_application must have at most 20 characters .* \^NAME\^L/);
    }
    expect((await add('^LAUDIO-OF-SÃO-LUCAS-2^L')).status).toBe(201);
  });

  test('says with the delivered message which key images it cannot name', async () => {
    const outbox = createOutbox();
    const ris = await hl7Receiver();
    const image_link = 'https://pacs.example/{series_uid}/{instance_uid}';
    const channel = await outbox.channel('hl7-out', { host: '127.0.0.1', port: ris.port, image_link });
    await outbox.document('A', 'F');
    const images = [{ series_uid: '1.2.3', instance_uid: '1.2.3.4' }, { instance_uid: '1.2.3.5' }];
    await outbox.store.transact(async (tx) => {
      for (const version of await tx.find('versions', {}))
        tx.put('versions', { ...version, record: { ...version.record, metadata: { key_images: images } } });
    });
    await outbox.attach(channel);
    const warning = '1 key image of the record’s metadata is not in the hl7: key_images need series_uid, instance_uid.';
    await eventually(async () =>
      expect(await outbox.messages()).toMatchObject([{ state: 'delivered', warnings: [warning] }]),
    );
    expect(ris.messages[0]!.toString()).toContain('|https://pacs.example/1.2.3/1.2.3.4^');
  });

  test('takes no acknowledgement for that of another message, and goes on when the peer has closed an idle connection', async () => {
    const outbox = createOutbox();
    const ris = await hl7Receiver();
    const channel = await outbox.channel('hl7-out', { host: '127.0.0.1', port: ris.port });
    ris.answer = (control) => acknowledged('ANOTHER', 'AE') + '\x1c\r\x0b' + acknowledged(control);
    await outbox.attach(channel);
    await outbox.document('A', 'P');
    await eventually(async () => expect((await outbox.messages())[0]?.state).toBe('delivered'));
    for (const socket of ris.sockets) socket.destroy();
    await outbox.document('A', 'F');
    await eventually(async () =>
      expect((await outbox.messages())[1]).toMatchObject({ state: 'delivered', attempts: 1 }),
    );
  });

  test('refuses what the character set cannot say, and replaces only quotation marks and their like', async () => {
    const report = (text: string) => reportWith([{ key: 'findings', title: 'Achados', text }]);
    const written = async (text: string) =>
      encodeHl7((await hl7Report(report(text), { character_set: '8859/1', pdf: 'none' }))!, '8859/1');
    const encoded = await written('“Nódulo” ≥ 5 mm – estável');
    expect('bytes' in encoded && encoded.bytes.toString('latin1')).toContain('"Nódulo" >= 5 mm - estável');
    expect(await written('receptor α')).toEqual({ lacking: 'α' });
  });

  test('shows and checks certificates', async () => {
    const tlsFile = (name: string): string => fileURLToPath(new URL(`../../../support/tls/${name}`, import.meta.url));
    const files = { ca: tlsFile('proxy.pem'), cert: tlsFile('proxy.pem'), key: tlsFile('proxy.key') };
    const stranger = join(await temporaryDirectory(), 'ca.pem');
    await writeFile(stranger, rootCertificates[0]!);
    const tls = { key: readFileSync(files.key), cert: readFileSync(files.cert), ca: readFileSync(files.ca) };
    const ris = await hl7Receiver({ ...tls, requestCert: true, rejectUnauthorized: true });
    const outbox = createOutbox();
    const last = async ({ id }: { id: string }) =>
      (await outbox.messages()).findLast(({ channel_id }) => channel_id === id);
    const address = { host: '127.0.0.1', port: ris.port, answer_seconds: 5 };
    const own = { tls_certificate: files.cert, tls_key: files.key };
    const bad = await outbox.channel('hl7-out', { ...address, ...own, tls_ca: stranger });
    await outbox.attach(bad);
    await outbox.document('A', 'F');
    await eventually(async () =>
      expect(await last(bad)).toMatchObject({ state: 'waiting', error: { code: 'TLS_FAILED' } }),
    );
    const unknown = await outbox.channel('hl7-out', { ...address, tls_ca: files.ca });
    await outbox.document('B', 'F');
    await outbox.attach(unknown);
    await eventually(async () => expect(await last(unknown)).toMatchObject({ attempts: 1 }));
    expect(ris.messages).toEqual([]);
    const good = await outbox.channel('hl7-out', { ...address, ...own, tls_ca: files.ca });
    await outbox.attach(good);
    await outbox.document('C', 'F');
    await eventually(async () => expect(await last(good)).toMatchObject({ state: 'delivered' }));
    const missing = await outbox.channel('hl7-out', { ...address, tls_ca: '/none' });
    await expect(outbox.attach(missing)).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});

describe('an acknowledgement', () => {
  const said = (...segments: string[]) => {
    const found = parseAcknowledgement(Buffer.from(['MSH|^~\\&|||||||ACK|1|P|2.3', ...segments].join('\r')));
    return found && toSendResult(found);
  };

  test.each([
    [['MSA|AA|1'], 'delivered'],
    [['MSA|CA|1'], 'delivered'],
    [['MSA|AE|1'], 'refused'],
    [['MSA|AE|1', 'ERR|||207'], 'refused'],
    [['MSA|AR|1'], 'refused'],
    [['MSA|AR|1', 'ERR|||200'], 'refused'],
    [['MSA|AR|1', 'ERR|||207^Application internal error^HL70357'], 'again'],
    [['MSA|AR|1', 'ERR|MSH^1^1^207&Application internal error&HL70357'], 'again'],
    [['MSA|XX|1'], 'refused'],
  ])('%j means %s', (segments, state) => expect(said(...segments)?.state).toBe(state));

  test('of any bytes is read without a fault, and nothing that somebody wrote is kept', () => {
    const part = fc.string({
      unit: fc.constantFrom('|', '^', '&', '\r', 'M', 'S', 'A', 'E', 'R', 'P', 'I', 'D', '5', 'ã'),
    });
    fc.assert(
      fc.property(part, part, (a, b) => {
        const verdict = said(`MSA|AE|1|${a}`, `ERR|${b}|${a}^${b}|SILVA${b}^JOSE`);
        expect(JSON.stringify(verdict ?? '')).not.toMatch(/SILVA|JOSE|ã/);
      }),
    );
  });
});
