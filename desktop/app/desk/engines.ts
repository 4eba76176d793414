/** Asks the service whether it turns this person's speech into text, before somebody dictates in vain. */
import { join } from 'node:path';
import { isTransient } from '../../../src/client/transient.ts';
import type { EnginesInUse } from '../../../src/contract/engine.ts';
import { nullable, object, oneOf } from '../../../src/contract/schema.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { recogniserKinds } from '../../bridge/session.ts';
import type { SessionState } from '../../bridge/session.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

const StoredEngines = object({ recogniser: nullable(oneOf(recogniserKinds)) });

export interface Engines {
  /** As the service said last; `null` if the service has not said, such as one that knows only the specification. */
  readonly recogniser: SessionState['recogniser'];
  close(): void;
}

const kindOf = ({ recogniser }: EnginesInUse): SessionState['recogniser'] =>
  recogniser === null ? 'none' : recogniser.simulated ? 'simulated' : 'real';

export async function createEngines(deps: ServiceDeps, onChange: () => void): Promise<Engines> {
  const file = jsonFile(join(deps.directory, 'engines.json'), StoredEngines, deps.sealing);
  let { recogniser } = (await file.read()) ?? { recogniser: null };
  let looking: Promise<void> | undefined;
  let isClosed = false;
  const ask = async (): Promise<void> => {
    const answer = await deps
      .connect()
      .client.engines.get()
      .then(
        ({ data }) => kindOf(data),
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          return isTransient(error) ? recogniser : null;
        },
      );
    if (answer === recogniser || isClosed) return;
    recogniser = answer;
    onChange();
    await file.write({ recogniser });
  };
  const look = (): void => {
    looking ??= ask()
      .catch(() => deps.log({ level: 'warn', event: 'engines_not_asked' }))
      .finally(() => (looking = undefined));
  };
  const forgetOnline = deps.onOnline(look);
  look();
  return {
    get recogniser() {
      return recogniser;
    },
    close() {
      isClosed = true;
      forgetOnline();
    },
  };
}
