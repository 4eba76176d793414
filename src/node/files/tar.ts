/** Reads tar archives as streams, in flat memory. */

export interface TarEntry {
  readonly name: string;
  readonly type: string;
  /** Bytes of its content. */
  readonly size: number;
  /** Must be read before the next entry is taken; what is not read is passed over. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * The entries of an archive that is whole, with its checksums and its end. Throws what the source throws; for what is wrong with the
 * archive, also while content is read, what `explain` makes of the error.
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
  explain: (error: unknown) => unknown,
): AsyncGenerator<TarEntry, void> {
  const { createTarDecoder } = await import('modern-tar');
  const { readable, writable } = createTarDecoder({ strict: true });
  let sourceFailure: { readonly error: unknown } | undefined;
  const failure = (error: unknown): unknown => (sourceFailure ? sourceFailure.error : explain(error));
  async function* marked(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* source;
    } catch (error) {
      sourceFailure = { error };
      throw error;
    }
  }
  async function feed(): Promise<void> {
    const writer = writable.getWriter();
    try {
      for await (const chunk of marked()) await writer.write(chunk);
      await writer.close();
    } catch (error) {
      // The reader fails with it, unless it was the reader that stopped.
      await writer.abort(error).catch(() => undefined);
    }
  }
  async function* readContent(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    try {
      yield* body;
    } catch (error) {
      throw failure(error);
    }
  }
  const feeding = feed();
  const entries = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await entries.read().catch((error: unknown) => {
        throw failure(error);
      });
      if (done) return;
      const { name, size, type = 'file' } = value.header;
      yield { name, size, type, content: readContent(value.body) };
      if (!value.body.locked) await value.body.cancel().catch(() => undefined);
    }
  } finally {
    await entries.cancel().catch(() => undefined);
    await feeding;
  }
}
