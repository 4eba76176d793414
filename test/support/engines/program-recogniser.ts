/** A worked example of a recogniser: a program of the operator's that reads sound and prints what it heard. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { engineKind } from '../../../server/speech/engine.ts';
import type { Recogniser } from '../../../server/speech/recogniser.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { object, string } from '../../../src/contract/schema.ts';

export const programRecogniser = engineKind({
  options: object({ path: string({ minLength: 1 }) }, { script: string({ minLength: 1 }) }),
  main: 'path',
  create: async ({ path, script }): Promise<Recogniser> => ({
    name: 'program',
    simulated: false,
    atOnce: 1,
    async probe() {
      await access(path, constants.X_OK).catch(broken);
    },
    async close() {},
    async transcribe({ read, language }, signal) {
      signal.throwIfAborted();
      const sound = await read();
      const args = [...(script === undefined ? [] : [script]), language];
      const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'ignore'], signal });
      const ended = once(child, 'close');
      // A program that has heard enough closes its end; whether it went well its exit code says.
      const told = pipeline(sound, child.stdin).catch(() => {});
      const [heard, [code]] = await Promise.all([text(child.stdout), ended, told]).catch((cause: unknown) => {
        signal.throwIfAborted();
        return broken(cause);
      });
      return code === 0 ? { text: heard.trim() } : broken();
    },
  }),
});

function broken(cause?: unknown): never {
  throw new AppError('ENGINE_UNAVAILABLE', {
    message: 'The program that recognises speech does not work.',
    hint: 'See whether it runs from a terminal: it reads sound from standard input, and prints text.',
    cause,
  });
}
