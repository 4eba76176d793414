/**
 * The globals that Node and browsers have in common (Encoding and Compression standards), with as much of their types
 * as is used here: this part of the program is compiled with the types of neither.
 */
interface TextDecoderLike {
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

interface TextEncoderLike {
  encode(text: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { written: number };
}

interface StreamReader {
  read(): Promise<{ done: boolean; value?: Uint8Array }>;
  cancel(reason?: unknown): Promise<void>;
}

interface StreamWriter {
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}

interface Decompression {
  readonly readable: { getReader(): StreamReader };
  readonly writable: { getWriter(): StreamWriter };
}

interface Standards {
  atob(base64: string): string;
  readonly TextDecoder: new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => TextDecoderLike;
  readonly TextEncoder: new () => TextEncoderLike;
  readonly DecompressionStream: new (format: 'gzip' | 'deflate-raw') => Decompression;
  readonly process?: { getBuiltinModule?: (name: string) => unknown };
}

interface NodeParts {
  readonly createGunzip: () => unknown;
  readonly createInflateRaw: () => unknown;
  readonly Duplex: { toWeb(duplex: unknown): Decompression };
}

const standards = globalThis as unknown as Standards;

/** Throws RangeError for a label that the Encoding Standard does not know, and that is not code page 850. Byte order marks are kept. */
export const textDecoder = (label: string, { fatal = false } = {}): TextDecoderLike =>
  /^(?:cp|ibm)?-?850$/i.test(label.trim()) ? codePage850 : new standards.TextDecoder(label, { fatal, ignoreBOM: true });

/** The upper half of the code page of DOS in western Europe and Brazil, which the Encoding Standard does not have. */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0';
const codePage850: TextDecoderLike = {
  encoding: 'ibm850',
  decode(bytes = new Uint8Array()) {
    const parts: string[] = [];
    for (const byte of bytes) parts.push(byte < 0x80 ? String.fromCharCode(byte) : upperHalf.charAt(byte - 0x80));
    return parts.join('');
  },
};

export const textEncoder = (): TextEncoderLike => new standards.TextEncoder();

/**
 * A gzip may have several members (RFC 1952 2.2), and a byte may follow a raw stream (DICOM PS3.5 A.5): the standard's stream refuses
 * both, Node's own does not.
 */
export function decompression(format: 'gzip' | 'deflate-raw'): Decompression {
  const builtIn = (name: string) => standards.process?.getBuiltinModule?.(name) as Partial<NodeParts> | undefined;
  const [zlib, duplex] = [builtIn('node:zlib'), builtIn('node:stream')?.Duplex];
  const create = format === 'gzip' ? zlib?.createGunzip : zlib?.createInflateRaw;
  return create && duplex ? duplex.toWeb(create()) : new standards.DecompressionStream(format);
}

/** The bytes as characters; `undefined` where it is no base64. */
export function fromBase64(base64: string): string | undefined {
  try {
    return standards.atob(base64);
  } catch {
    return undefined;
  }
}
