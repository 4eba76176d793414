/** The samples of PCM of 16 bits, signed, the low byte first: each a number from -1 up to 1. */
export function floatsOf(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Float32Array.from({ length: Math.floor(pcm.length / 2) }, (_, at) => view.getInt16(at * 2, true) / 32_768);
}
