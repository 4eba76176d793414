/** DICOM associations: with ourselves, with dcmtk, and with whoever says something else. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import * as fc from '../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppError } from '../../../src/contract/errors.ts';
import { Association, Wire } from '../../../src/protocols/dimse/association.ts';
import type { Message } from '../../../src/protocols/dimse/association.ts';
import { commands, readCommand, writeCommand } from '../../../src/protocols/dimse/command.ts';
import {
  explicitLittleEndian,
  implicitLittleEndian,
  rewriteDataSet,
  writeDataSet,
} from '../../../src/protocols/dimse/data-set.ts';
import type { Attribute } from '../../../src/protocols/dimse/data-set.ts';
import { acceptPdu, dataPdu, readPdus, requestPdu } from '../../../src/protocols/dimse/pdu.ts';
import { provide } from '../../../src/protocols/dimse/provide.ts';
import type { Provider } from '../../../src/protocols/dimse/provide.ts';
import { agreementOn, associate, echo, store } from '../../../src/protocols/dimse/request.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const service = '1.2.840.10008.3.1.2.3.3';

async function provider(fields: Partial<Provider> = {}) {
  const messages: Message[] = [];
  const failures: AppError[] = [];
  const providing = await provide({
    host: '127.0.0.1',
    port: 0,
    title: 'LAUDIO',
    callers: [],
    services: [service],
    maxAssociations: 10,
    silentMs: 20_000,
    async answer(message) {
      messages.push(message);
      return { status: 0 };
    },
    onFailure: (error) => void failures.push(error),
    ...fields,
  });
  onTestFinished(() => providing.close());
  const peer = { host: '127.0.0.1', port: providing.port, calling: 'CT1', called: 'LAUDIO', silentMs: 20_000 };
  return { peer, messages, failures };
}

/** Both ends of a connection. */
async function connection(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const ours = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [theirs] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void [ours, theirs].map((socket) => socket.destroy()));
  return [ours, theirs];
}

/** A peer that says this to whoever asks for an association. */
async function answering(bytes: Buffer) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(bytes));
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { host: '127.0.0.1', port, calling: 'CT1', called: 'LAUDIO', silentMs: 20_000 };
}

const command = { field: 0x0001, messageId: 1, affectedClass: service, affectedInstance: '1.2.3' };
const wanted = { abstractSyntax: service, transferSyntaxes: [explicitLittleEndian, implicitLittleEndian] };

test('a data set that is written again in the other syntax is the one that is written in it at first', () => {
  const tag = fc
    .integer({ min: 0x0008_0000, max: 0x7fff_ffff })
    .map((at) => at.toString(16).padStart(8, '0').toUpperCase());
  const { attributes } = fc.letrec<{ attributes: Attribute[]; sequence: Attribute }>((tie) => ({
    attributes: fc.array(
      fc.oneof(
        fc.tuple(tag, fc.constantFrom('LO', 'UI', 'PN', 'UT', 'UC', 'ST'), fc.string({ maxLength: 20 })),
        fc.tuple(tag, fc.constantFrom('US', 'UL'), fc.nat(60_000)),
        fc.tuple(tag, fc.constant('OB'), fc.uint8Array({ maxLength: 70_000, size: 'max' })),
        tie('sequence'),
      ) as fc.Arbitrary<Attribute>,
      { maxLength: 5 },
    ),
    sequence: fc.tuple(
      tag,
      fc.constant('SQ'),
      fc.array(tie('attributes'), { maxLength: 3 }),
    ) as fc.Arbitrary<Attribute>,
  }));
  fc.assert(
    fc.property(attributes, (written) => {
      const explicit = writeDataSet(written, explicitLittleEndian);
      expect(rewriteDataSet(explicit, implicitLittleEndian)).toEqual(writeDataSet(written, implicitLittleEndian));
      expect(rewriteDataSet(explicit, explicitLittleEndian)).toEqual(explicit);
    }),
    { numRuns: 30 },
  );
});

describe('units', () => {
  const title = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,15}$/);
  const uid = fc.stringMatching(/^1\.[1-9][0-9]{0,20}$/);
  const ids = fc.integer({ min: 0, max: 127 }).map((at) => 2 * at + 1);

  test('are read as they were written, however the bytes come', async () => {
    const contexts = fc.array(
      fc.record({ id: ids, abstractSyntax: uid, transferSyntaxes: fc.array(uid, { minLength: 1, maxLength: 3 }) }),
      { maxLength: 5 },
    );
    const role = fc.record({ sopClass: uid, isUser: fc.boolean(), isProvider: fc.boolean() });
    const roles = fc.array(role, { minLength: 1, maxLength: 3 });
    const request = fc.record(
      { calling: title, called: title, maxLength: fc.nat(), contexts, roles },
      { requiredKeys: ['calling', 'called', 'maxLength', 'contexts'] },
    );
    const accepted = fc.array(fc.record({ id: ids, result: fc.nat(4), transferSyntax: uid }), { maxLength: 5 });
    const accept = fc.record({ calling: title, called: title, maxLength: fc.nat(), contexts: accepted });
    const fragment = fc.record({
      context: ids,
      isCommand: fc.boolean(),
      isLast: fc.boolean(),
      bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    });
    await fc.assert(
      fc.asyncProperty(request, accept, fragment, fc.integer({ min: 1, max: 400 }), async (asked, said, data, size) => {
        const bytes = Buffer.concat([requestPdu(asked), acceptPdu(said), dataPdu(data)]);
        expect(await unitsOf(bytes, size)).toEqual([
          { type: 'request', request: asked },
          { type: 'accept', accept: said },
          { type: 'data', fragments: [data] },
        ]);
      }),
    );
  });

  test('of anybody’s bytes end in order', async () => {
    const start = requestPdu({ calling: 'A', called: 'B', maxLength: 1, contexts: [{ id: 1, ...wanted }] });
    const changed = fc
      .tuple(fc.nat(start.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(start.length))
      .map(([at, byte, length]) => Buffer.from(start.with(at, byte).subarray(0, length)));
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, fc.uint8Array({ maxLength: 200 })), async (bytes) => {
        const units = await unitsOf(Buffer.from(bytes), 64).catch((error: unknown) => error);
        if (!Array.isArray(units)) expect(units).toMatchObject({ code: 'BAD_ANSWER' });
      }),
      { numRuns: 500 },
    );
  });

  test('commands are read as they were written', () => {
    const number = fc.integer({ min: 0, max: 65_535 });
    const command = fc.record(
      { field: number, messageId: number, status: number, affectedClass: uid, comment: fc.constant('Not known') },
      { requiredKeys: ['field'] },
    );
    fc.assert(
      fc.property(command, fc.boolean(), (each, hasData) => {
        expect(readCommand(writeCommand({ ...each, hasData }))).toEqual({ ...each, hasData });
      }),
    );
  });
});

async function unitsOf(bytes: Buffer, size: number): Promise<unknown[]> {
  const units: unknown[] = [];
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();
  for await (const unit of readPdus(chunks, 100_000)) {
    units.push(unit.type === 'data' ? { ...unit, fragments: [...unit.fragments] } : unit);
  }
  return units;
}

describe('an association', () => {
  test('carries messages of any length, and answers each', async () => {
    const { peer, messages } = await provider();
    const association = await associate(peer, [wanted], never);
    const agreed = agreementOn(association, service, 'steps');
    for (const length of [0, 10, 65_000, 200_000]) {
      const data = Buffer.alloc(length, 'x');
      const answer = await store(association, agreed, { affectedClass: service, affectedInstance: '1.2.3' }, data);
      expect(answer).toMatchObject({ status: 0, affectedInstance: '1.2.3' });
      expect(messages.at(-1)!.data).toEqual(data);
    }
    await association.release();
    await echo(peer, never);
  });

  test('is refused to who is unknown, calls another title, or comes when all places are taken', async () => {
    const known = await provider({ callers: ['MR1'], maxAssociations: 1 });
    await expect(echo(known.peer, never)).rejects.toThrow('it does not know our title');
    await expect(echo({ ...known.peer, called: 'OTHER' }, never)).rejects.toThrow('its title is another one');
    const first = await associate({ ...known.peer, calling: 'MR1' }, [wanted], never);
    await expect(echo({ ...known.peer, calling: 'MR1' }, never)).rejects.toThrow('too many associations');
    await first.release();
  });

  test('with a stranger ends soon: bytes that are no DICOM, silence, and a web server', async () => {
    const { peer, failures } = await provider({ silentMs: 50 });
    const socket = connect(peer.port, peer.host);
    socket.end('GET / HTTP/1.1\r\n\r\n');
    await expect.poll(() => failures.map(({ code }) => code)).toEqual(['BAD_ANSWER']);
    const silent = connect(peer.port, peer.host);
    await expect.poll(() => failures.length).toBe(2);
    silent.destroy();
    await expect(echo({ ...peer, port: 1 }, never)).rejects.toMatchObject({ code: 'NETWORK' });
  });

  test('keeps to any limit of the other side that leaves room for messages', async () => {
    const data = Buffer.alloc(5000, 'x');
    for (const peerLength of [0, 128, 129, 16_384, 0xffffffff]) {
      const [ours, theirs] = await connection();
      const sent = new Association(new Wire(ours, 20_000, never), { agreed: [], peerLength }).send(1, command, data);
      const lengths: number[] = [];
      let size = 0;
      for await (const unit of readPdus(theirs, 1024 * 1024)) {
        if (unit.type !== 'data') break;
        const fragments = [...unit.fragments];
        lengths.push(fragments.reduce((all, { bytes }) => all + 6 + bytes.length, 0));
        for (const { isCommand, bytes } of fragments) if (!isCommand) size += bytes.length;
        if (size === data.length) break;
      }
      await sent;
      expect(size).toBe(data.length);
      if (peerLength > 0) expect(Math.max(...lengths)).toBeLessThanOrEqual(peerLength);
    }
  });

  test('is refused, by either side, to who takes units that leave no room for messages', async () => {
    const { peer, failures } = await provider();
    const contexts = [{ id: 1, ...wanted }];
    const limits = [1, 6, 7, 11, 12, 13, 127];
    for (const length of limits) {
      const socket = connect(peer.port, peer.host);
      socket.write(requestPdu({ calling: 'CT1', called: 'LAUDIO', maxLength: length, contexts }));
      const answers = [];
      for await (const unit of readPdus(socket, 1000)) answers.push(unit);
      expect(answers).toMatchObject([{ type: 'reject', source: 1, reason: 1 }]);
    }
    await expect.poll(() => failures.length).toBe(limits.length);
    expect(failures[0]).toMatchObject({ code: 'BAD_ANSWER', hint: expect.stringContaining('maximum PDU length') });
    for (const length of limits) {
      const accept = acceptPdu({
        calling: 'CT1',
        called: 'LAUDIO',
        maxLength: length,
        contexts: [{ id: 1, result: 0, transferSyntax: implicitLittleEndian }],
      });
      await expect(echo(await answering(accept), never)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
    }
  });

  test('holds no more of a message than its bytes, however many fragments they come in', async () => {
    const piece = (length: number): Buffer =>
      dataPdu({ context: 1, isCommand: false, isLast: false, bytes: Buffer.alloc(length) });
    // Units of nothing but empty fragments, and of fragments of a byte each.
    const fragments = Buffer.concat(Array.from({ length: 20_000 }, (_, at) => piece(at % 2).subarray(6)));
    const head = Buffer.from([4, 0, 0, 0, 0, 0]);
    head.writeUInt32BE(fragments.length, 2);
    const unit = Buffer.concat([head, fragments]);
    const { peer, failures } = await provider();
    const socket = connect(peer.port, peer.host);
    socket.on('error', () => undefined);
    socket.resume();
    const contexts = [{ id: 1, ...wanted }];
    socket.write(requestPdu({ calling: 'CT1', called: 'LAUDIO', maxLength: 0, contexts }));
    const before = process.memoryUsage();
    let most = 0;
    let sent = 0;
    while (failures.length === 0 && sent < 40 * 1024 * 1024) {
      sent += unit.length;
      await new Promise<void>((resolve) => socket.write(unit, () => resolve()));
      const now = process.memoryUsage();
      most = Math.max(most, now.heapUsed - before.heapUsed + now.arrayBuffers - before.arrayBuffers);
    }
    await expect.poll(() => failures.map(({ code }) => code)).toEqual(['BAD_ANSWER']);
    expect(most).toBeLessThan(150 * 1024 * 1024);
    socket.destroy();
  });

  test('is over where a command is longer than any, or more services are asked for than there are numbers', async () => {
    const { peer, failures } = await provider();
    const contexts = [{ id: 1, ...wanted }];
    const titles = { calling: 'CT1', called: 'LAUDIO', maxLength: 0 };
    const long = writeCommand({ ...command, comment: 'x'.repeat(100_000) });
    const sendings = [
      [requestPdu({ ...titles, contexts }), dataPdu({ context: 1, isCommand: true, isLast: false, bytes: long })],
      [requestPdu({ ...titles, contexts: Array.from({ length: 129 }, () => contexts[0]!) })],
    ];
    for (const units of sendings) {
      const socket = connect(peer.port, peer.host);
      socket.on('error', () => undefined);
      socket.resume();
      for (const unit of units) socket.write(unit);
      await once(socket, 'close');
    }
    await expect.poll(() => failures.map(({ code }) => code)).toEqual(['BAD_ANSWER', 'BAD_ANSWER']);
  });

  test('goes on after an answer that cannot be finished', async () => {
    const errors: unknown[] = [];
    const { peer, failures } = await provider({
      answer: async () => ({
        status: 0,
        found: (async function* () {
          yield Buffer.from('ab');
          throw new Error('The store is away.');
        })(),
      }),
      onProcessingFailure: (error) => void errors.push(error),
    });
    const association = await associate(peer, [wanted], never);
    const agreed = agreementOn(association, service, 'queries');
    for (const _ of [1, 2]) {
      await association.send(agreed.id, { field: commands.findRequest, messageId: 1, affectedClass: service });
      expect(await association.next()).toMatchObject({ command: { status: 0xff00 }, data: Buffer.from('ab') });
      expect(await association.next()).toMatchObject({ command: { status: 0x0110 } });
    }
    await association.release();
    expect(errors).toEqual([expect.any(Error), expect.any(Error)]);
    expect(failures).toEqual([]);
  });

  test('ends where the other side takes nothing of an answer', async () => {
    const { peer, failures } = await provider({
      silentMs: 50,
      answer: async () => ({ status: 0, found: Array.from({ length: 1000 }, () => Buffer.alloc(65_000)) }),
    });
    const socket = connect(peer.port, peer.host);
    socket.on('error', () => undefined);
    socket.pause();
    const contexts = [{ id: 1, ...wanted }];
    socket.write(requestPdu({ calling: 'CT1', called: 'LAUDIO', maxLength: 0, contexts }));
    const bytes = writeCommand(command);
    socket.write(dataPdu({ context: 1, isCommand: true, isLast: true, bytes }));
    await expect.poll(() => failures.map(({ code }) => code)).toEqual(['NETWORK']);
    socket.destroy();
  });

  test('that is broken off while it asks ends with INTERRUPTED', async () => {
    const { peer } = await provider({ answer: () => new Promise(() => undefined) });
    const ending = new AbortController();
    const association = await associate(peer, [wanted], ending.signal);
    const agreed = agreementOn(association, service, 'steps');
    const stored = store(association, agreed, { affectedClass: service, affectedInstance: '1.2.3' }, Buffer.alloc(2));
    setImmediate(() => ending.abort());
    await expect(stored).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });

  test('leaves requesters their role, but those that receive objects of the classes that are sent', async () => {
    const get = '1.2.840.10008.5.1.4.1.2.2.3';
    const { peer } = await provider({ services: [service, get], sentClasses: [get] });
    const both = { isUser: true, isProvider: true };
    const roles = [
      { sopClass: service, ...both },
      { sopClass: get, isUser: false, isProvider: true },
    ];
    const socket = connect(peer.port, peer.host);
    onTestFinished(() => void socket.destroy());
    const titles = { calling: 'CT1', called: 'LAUDIO', maxLength: 0 };
    socket.write(requestPdu({ ...titles, contexts: [{ id: 1, ...wanted }], roles }));
    for await (const unit of readPdus(socket, 1000)) {
      expect(unit).toMatchObject({ type: 'accept', accept: { contexts: [{ result: 0 }], roles: [roles[1]] } });
      break;
    }
  });

  test('with dcmtk: its echo is answered', async () => {
    const { peer } = await provider();
    await run('echoscu', ['-aec', 'LAUDIO', '-aet', 'CT1', peer.host, String(peer.port)]);
    await expect(run('echoscu', ['-aec', 'NOBODY', peer.host, String(peer.port)])).rejects.toThrow('Rejected');
  });
});
