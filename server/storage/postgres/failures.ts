/**
 * Failures of PostgreSQL and of the connections to it. A message or a detail of PostgreSQL may quote documents, so only its code is
 * passed on.
 */
import { storageUnavailable } from '../transactions/document-store.ts';

/** A statement that failed. */
export class DatabaseFailure extends Error {
  /** That of PostgreSQL's answer, or of a call of the system. */
  readonly code: string | undefined;
  /** Whether PostgreSQL answered that it refuses. Otherwise nobody knows what became of the statement. */
  readonly isAnswered: boolean;

  constructor(error: unknown) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    // Only PostgreSQL grades its errors.
    const isSqlState = code !== undefined && error instanceof Error && 'severity' in error;
    super(
      isSqlState ? `PostgreSQL answered with ${code}.` : 'The connection to PostgreSQL broke.',
      isSqlState ? undefined : { cause: error },
    );
    this.name = 'DatabaseFailure';
    this.code = code;
    // In class 57P the server ends the connection.
    this.isAnswered = isSqlState && !code.startsWith('57P');
  }
}

export const isAnswered = (error: unknown): boolean => error instanceof DatabaseFailure && error.isAnswered;

export const codeIn = (error: unknown): string => (error instanceof DatabaseFailure ? (error.code ?? '') : '');

/** Two transactions met, and to run again is all that is needed: serialization, deadlock, an id that came meanwhile. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01|23505)$/.test(codeIn(error));

/** Outages: connections, resources, operators, the system, a server that only reads, and waits that took too long. */
const outages = /^(08|53|57|58|XX|25006|25P0[34]|55P03)/;

/** The error as callers of a store get it; one that is none of PostgreSQL stays as it is. */
export const toStoreError = (error: unknown): unknown =>
  error instanceof DatabaseFailure && (!error.isAnswered || outages.test(error.code ?? ''))
    ? storageUnavailable(error)
    : error;
