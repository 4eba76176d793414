/** A writer that writes what is long in a thread, so that nobody else waits for it. */
import type { Workers } from '../workers/workers.ts';
import type { writers } from './registry.ts';
import type { Writer } from './writer.ts';

/** Characters that are written in a moment, sooner than a thread could be asked. */
const short = 5000;

/** `name` is the writer's in the registry, by which the thread finds it. */
export function threadedWriter(name: keyof typeof writers, writer: Writer, workers: Workers): Writer {
  return {
    ...writer,
    async compose(input, signal) {
      if (input.text.length <= short) return writer.compose(input, signal);
      return workers.run('composeDocument', { name, input }, { client: input.account ?? '', signal });
    },
    async correct(input, signal) {
      const length = input.sections.reduce((sum, { text }) => sum + text.length, input.instruction.length);
      if (length <= short) return writer.correct(input, signal);
      return workers.run('correctDocument', { name, input }, { client: input.account ?? '', signal });
    },
  };
}
