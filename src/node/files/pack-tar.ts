/** Writes tar archives (POSIX.1-2024, pax) as streams, in flat memory. */

/** Adds a file of that many bytes. */
export type AddFile = (name: string, bytes: number, content: AsyncIterable<Uint8Array>) => Promise<void>;

/** Streams the archive that `fill` writes. If `fill` throws, the archive breaks off. */
export async function* packTar(fill: (add: AddFile) => Promise<void>): AsyncGenerator<Uint8Array, void> {
  // Few starts make or read an archive, and all would have to load this.
  const { createTarPacker } = await import('modern-tar');
  const { readable, controller } = createTarPacker();
  const add: AddFile = async (name, bytes, content) => {
    const sink = controller.add({ name, size: bytes, mode: 0o600 }).getWriter();
    for await (const chunk of content) await sink.write(chunk);
    await sink.close();
  };
  const filling = fill(add).then(
    () => controller.finalize(),
    (error: unknown) => controller.error(error),
  );
  try {
    yield* readable as AsyncIterable<Uint8Array>;
  } finally {
    // If the reader has stopped, filling stops as well.
    await readable.cancel().catch(() => undefined);
    await filling;
  }
}
