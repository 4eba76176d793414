/** Starts the PostgreSQL that all test files of a run share: each has schemas of its own in it. */
import type { TestProject } from 'vitest/node';
import { quick, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { readonly socket: string; readonly port: number };
  }
}

/** Vitest calls it once, before the first file of its project, and what it returns at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres(quick);
  project.provide('postgres', { socket: postgres.socket, port: postgres.port });
  return async () => postgres[Symbol.asyncDispose]();
}
