/** What the operator should know, above all what went wrong on our side: codes, ids and counts, never patient data. */
export type Log = (entry: { level: 'info' | 'warn' | 'error'; event: string } & Record<string, unknown>) => void;
