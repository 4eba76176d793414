/** Logs an entry for the operator, mainly failures of the server: codes, ids and counts, never patient data. */
export type Log = (entry: { level: 'info' | 'warn' | 'error'; event: string } & Record<string, unknown>) => void;
