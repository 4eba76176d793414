/**
 * Asks the service whether it has a recogniser for this person, and where audio and text go, so that the person knows
 * before dictating.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isTransient } from '../../../src/client/transient.ts';
import type { EnginesInUse } from '../../../src/contract/engine.ts';
import { boolean, nullable, object, oneOf, string } from '../../../src/contract/schema.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { recogniserKinds } from '../../bridge/session.ts';
import type { SessionState } from '../../bridge/session.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

/** Minimum interval between two requests whether the service recognises live, in ms. */
const askingAgainMs = 10_000;

const StoredEngines = object(
  { recogniser: nullable(oneOf(recogniserKinds)) },
  { sound_goes_to: nullable(string()), proposes_impressions: boolean(), text_goes_to: nullable(string()) },
);

/** The last answer of the service; `null` without one, as from a service that implements only the specification. */
export type EngineInfo = Pick<SessionState, 'recogniser' | 'sound_goes_to' | 'proposes_impressions' | 'text_goes_to'>;

export interface Engines {
  readonly present: EngineInfo;
  /** Whether there are live words, by the last answer. Asks again if there are none. */
  isLive(): boolean;
  /** Asks the service again. */
  ask(): void;
  close(): void;
}

const unknown: EngineInfo = {
  recogniser: null,
  sound_goes_to: null,
  proposes_impressions: false,
  text_goes_to: null,
};

const describeEngines = ({ recogniser, writer }: EnginesInUse): EngineInfo => ({
  recogniser: recogniser === null ? 'none' : recogniser.simulated ? 'simulated' : 'real',
  sound_goes_to: recogniser?.sends_to ?? null,
  proposes_impressions: writer.proposes_impressions === true,
  text_goes_to: writer.sends_to ?? null,
});

export async function createEngines(deps: ServiceDeps, onChange: () => void): Promise<Engines> {
  const file = jsonFile(join(deps.directory, 'engines.json'), StoredEngines, deps.sealing);
  let present: EngineInfo = { ...unknown, ...(await file.read()) };
  let hearsLive = false;
  /** In ms of the clock. */
  let askedAt = -Infinity;
  let looking: Promise<void> | undefined;
  let isClosed = false;
  const ask = async (): Promise<void> => {
    const answer = await deps
      .connect()
      .client.engines.get()
      .then(
        ({ data }) => {
          hearsLive = data.recogniser?.live === true;
          return describeEngines(data);
        },
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          return isTransient(error) ? present : unknown;
        },
      );
    if (isDeepStrictEqual(answer, present) || isClosed) return;
    present = answer;
    onChange();
    await file.write(present);
  };
  const look = (): void => {
    askedAt = deps.clock.elapsed();
    looking ??= ask()
      .catch(() => deps.log({ level: 'warn', event: 'engines_not_asked' }))
      .finally(() => (looking = undefined));
  };
  const forgetOnline = deps.onOnline(look);
  look();
  return {
    get present() {
      return present;
    },
    isLive() {
      // An operator may have set up another recogniser.
      if (!hearsLive && deps.clock.elapsed() - askedAt > askingAgainMs) look();
      return hearsLive;
    },
    ask: look,
    close() {
      isClosed = true;
      forgetOnline();
    },
  };
}
