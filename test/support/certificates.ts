/** An authority of the tests, and the certificates that it signs: good ones, and such as they should not be (X.509, RFC 5280). */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';

/** Paths of a certificate and its key, and what they hold, in PEM. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
  readonly cert: string;
  readonly pem: string;
}

export interface Wanted {
  /** Default: localhost and 127.0.0.1. */
  readonly names?: readonly string[];
  /** In days from now; default: a day ago, and in ten. */
  readonly from?: number;
  readonly until?: number;
}

export interface Authority extends Certified {
  sign(wanted?: Wanted): Promise<Certified>;
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value, 'latin1'));
/** By its arcs' bytes as they are written. */
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const nameOf = (common: string): Buffer => sequence(der(0x31, sequence(oid('550403'), text(0x0c, common))));
const timeOf = (days: number): Buffer =>
  text(0x18, new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, ''));
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
const yes = der(0x01, Buffer.from([0xff]));

function alternativeName(name: string): Buffer {
  return /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : text(0x82, name);
}

interface Signed extends Required<Wanted> {
  readonly common: string;
  readonly publicKey: KeyObject;
  readonly issuer: { readonly common: string; readonly privateKey: KeyObject };
}

let serial = 1;

function certificateOf({ common, names, from, until, publicKey, issuer }: Signed): string {
  const isAuthority = issuer.common === common;
  const constraints = sequence(oid('551d13'), yes, der(0x04, sequence(...(isAuthority ? [yes] : []))));
  const alternatives = sequence(oid('551d11'), der(0x04, sequence(...names.map(alternativeName))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([++serial])),
    ecdsaWithSha256,
    nameOf(issuer.common),
    sequence(timeOf(from), timeOf(until)),
    nameOf(common),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(constraints, ...(names.length > 0 ? [alternatives] : []))),
  );
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuer.privateKey)));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** Its files end with the test. */
export async function authority(common = 'Authority of tests'): Promise<Authority> {
  const folder = await temporaryDirectory();
  let count = 0;
  const keep = async (cert: string, privateKey: KeyObject): Promise<Certified> => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const [certificate, key] = [join(folder, `${++count}.pem`), join(folder, `${count}.key`)];
    await writeFile(certificate, cert);
    await writeFile(key, pem, { mode: 0o600 });
    return { certificate, key, cert, pem };
  };
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = pair();
  const issuer = { common, privateKey: own.privateKey };
  const root = { common, names: [], from: -1, until: 10, publicKey: own.publicKey, issuer };
  return {
    ...(await keep(certificateOf(root), own.privateKey)),
    async sign({ names = ['localhost', '127.0.0.1'], from = -1, until = 10 } = {}) {
      const { publicKey, privateKey } = pair();
      const signed = { common: names[0] ?? 'nobody', names, from, until, publicKey, issuer };
      return keep(certificateOf(signed), privateKey);
    },
  };
}
