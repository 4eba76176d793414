/** The origin of an unexpected error: its name, code and stack frames without its message, which may quote patient data. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const { code } = error as { readonly code?: unknown };
  return { name: error.name, code, frames: frames.slice(0, 8).map((line) => line.trim()) };
}
