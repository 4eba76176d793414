import { isAbsolute, relative, sep } from 'node:path';

/** Whether the path is the directory or lies in it. */
export function isInside(path: string, directory: string): boolean {
  const steps = relative(directory, path);
  return !isAbsolute(steps) && steps.split(sep)[0] !== '..';
}
