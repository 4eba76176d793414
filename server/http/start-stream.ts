/**
 * Waits for the first chunk of the stream, so that an earlier failure gets an error answer. If the reader stops, even before the
 * first chunk, the stream ends.
 */
export async function startStream(stream: AsyncGenerator<Uint8Array, void>): Promise<AsyncIterable<Uint8Array>> {
  let first: IteratorResult<Uint8Array, void> | undefined = await stream.next();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const piece = first ?? (await stream.next());
        first = undefined;
        return piece;
      },
      return: () => stream.return(),
    }),
  };
}
