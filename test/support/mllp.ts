/** Senders of HL7 v2, as a RIS has them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { framed, Frames } from '../../src/protocols/mllp/frames.ts';

export interface MllpPeer {
  readonly socket: Socket;
  /** Sends a message and gives its acknowledgement. */
  ask(message: string | Buffer): Promise<string>;
  /** The next acknowledgement; `undefined` where the connection ends before. */
  answer(): Promise<string | undefined>;
  close(): void;
}

export async function connectMllp(address: string, socket: Socket = connectTo(address)): Promise<MllpPeer> {
  await once(socket, 'connect');
  return mllpPeer(socket);
}

export function mllpPeer(socket: Socket): MllpPeer {
  const frames = new Frames(1e6);
  const waiting: ((answer: string | undefined) => void)[] = [];
  const come: string[] = [];
  let isOver = false;
  socket.on('data', (chunk: Buffer) => {
    for (const found of frames.push(chunk)) {
      if (found.kind !== 'message') continue;
      const text = found.bytes.toString();
      const next = waiting.shift();
      if (next) next(text);
      else come.push(text);
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    isOver = true;
    for (const each of waiting.splice(0)) each(undefined);
  });
  const answer = (): Promise<string | undefined> => {
    const ready = come.shift();
    if (ready !== undefined || isOver) return Promise.resolve(ready);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    socket,
    answer,
    async ask(message) {
      socket.write(framed(Buffer.from(message)));
      const text = await answer();
      if (text === undefined) throw new Error('The connection ended without an acknowledgement.');
      return text;
    },
    close: () => socket.destroy(),
  };
}

function connectTo(address: string): Socket {
  const { hostname, port } = new URL(`tcp://${address}`);
  return connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
}

/** A complete imaging order. */
export const orderMessage = (
  fields: { id?: string; accession?: string; name?: string; control?: string; charset?: string; patient?: string } = {},
): string => {
  const { id = 'M1', accession = 'A1', name = 'TESTE^PACIENTE', control = 'NW', charset = '', patient = 'P1' } = fields;
  return [
    `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000-0300||ORM^O01^ORM_O01|${id}|P|2.5.1||||||${charset}`,
    `PID|||${patient}^^^HSL||${name}||19800102|F`,
    'PV1||O',
    `ORC|${control}|PL-${accession}|||SC||^^^20260302093000`,
    `OBR|1|PL-${accession}||CT^TC de torax||||||||||||||${accession}||||||CT`,
    '',
  ].join('\r');
};
