/** Audio made on the spot: a valid WAV file, and the beginnings of other formats. */

/** Mono, 16 bit, silent. */
export function wav({ seconds = 1, rate = 8000 } = {}): Buffer {
  const data = Math.round(seconds * rate) * 2;
  return Buffer.concat([wavHeader(data, rate), Buffer.alloc(data)]);
}

export function wavHeader(data: number, rate = 8000): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(Math.min(36 + data, 0xffffffff), 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data, 40);
  return header;
}

const ebml = Buffer.concat([
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84]),
  Buffer.from('webm'),
  Buffer.alloc(64),
]);

const opusPage = Buffer.alloc(64);
opusPage.write('OggS', 0);
opusPage.write('OpusHead', 28);

const mp4 = Buffer.alloc(64);
mp4.writeUInt32BE(24, 0);
mp4.write('ftypM4A ', 4);

const mp3 = Buffer.concat([
  Buffer.from('ID3\u0004\0\0\0\0\0\0', 'latin1'),
  Buffer.from([0xff, 0xfb, 0x90, 0x00]),
  Buffer.alloc(413),
]);

/** Cut off after their first bytes, as a broken recorder leaves them. */
export const beginnings = {
  'audio/wav': wavHeader(1_000_000),
  'audio/webm': ebml,
  'audio/ogg': opusPage,
  'audio/mp4': mp4,
  'audio/mpeg': mp3,
  'audio/flac': Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(60)]),
} as const;
