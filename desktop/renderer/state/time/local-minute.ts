/** `2026-03-02T08:30`, in local time, as a time field needs it. */
export const localMinute = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
