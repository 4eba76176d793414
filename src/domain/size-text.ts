const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `1.5 MiB`; `bytes` from 0. */
export function sizeText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
