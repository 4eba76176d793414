/**
 * `Idempotency-Key`: stores answers by client and path for 24 hours. The transaction of the effect also stores the answer,
 * so that neither exists without the other.
 */
import { createHash } from 'node:crypto';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Answer } from '../call.ts';
import type { Store, Transaction } from '../../storage/store.ts';

const keptMs = 24 * 3600 * 1000;

export interface IdempotentRequest {
  readonly key: string;
  readonly clientId: string;
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  /** SHA-256 of audio that was streamed with the body. */
  readonly audio: string | undefined;
}

export interface Attempt {
  /** The stored answer of the first request; the request is then not run again. */
  readonly replay: Answer | undefined;
  /** Stores the answer in the transaction. */
  remember(tx: Transaction, answer: Answer): Promise<void>;
  /** Ends the attempt. Call it when the request is over, after an error too. */
  end(): void;
}

/** A body of bytes is compared by its hash. */
const fingerprinted = (body: unknown): unknown =>
  body instanceof Uint8Array ? createHash('sha256').update(body).digest('base64url') : (body ?? null);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

export function createIdempotency(store: Store, clock: Clock): (request: IdempotentRequest) => Promise<Attempt> {
  const running = new Set<string>();

  const inProgress = (): AppError => new AppError('REQUEST_IN_PROGRESS', { retryAfter: 1 });

  return async (request) => {
    if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
      throw validationFailed([
        {
          field: 'Idempotency-Key',
          message: 'the idempotency key must be 1 to 255 visible ASCII characters',
          code: 'INVALID_FORMAT',
        },
      ]);
    }
    const id = sha256(JSON.stringify([request.clientId, request.path, request.key]));
    const parameters = Object.keys(Object(request.query) as object).length > 0 ? [request.query] : [];
    const fingerprint = sha256(JSON.stringify([fingerprinted(request.body), request.audio ?? null, ...parameters]));
    if (running.has(id)) throw inProgress();
    running.add(id);
    const end = () => void running.delete(id);

    const findAnswer = async (reader: Pick<Store, 'get'>) => {
      const stored = await reader.get('idempotency', id);
      return stored && Date.parse(stored.expires_at) > clock.now() ? stored : undefined;
    };
    try {
      const stored = await findAnswer(store);
      if (stored && stored.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      return {
        replay: stored && { status: stored.status, data: stored.data, headers: stored.headers },
        async remember(tx, answer) {
          // Another process may have been faster.
          if (await findAnswer(tx)) throw inProgress();
          tx.put('idempotency', {
            id,
            fingerprint,
            status: answer.status,
            data: answer.data,
            headers: { ...answer.headers },
            expires_at: new Date(clock.now() + keptMs).toISOString(),
          });
        },
        end,
      };
    } catch (error) {
      end();
      throw error;
    }
  };
}
