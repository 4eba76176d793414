/** As many names of a file as the lists of several days have, and few enough for a file of any size. */
const maxNames = 20_000;

/** Values of the most recent names. */
export interface Latest<T> {
  get(name: string): T | undefined;
  set(name: string, value: T): void;
}

export function createLatest<T>(): Latest<T> {
  let present = new Map<string, T>();
  /** Those before: a map that loses its first entry at each new one is slow. */
  let previous = new Map<string, T>();
  return {
    get: (name) => present.get(name) ?? previous.get(name),
    set(name, value) {
      if (present.size >= maxNames / 2) {
        previous = present;
        present = new Map();
      }
      present.set(name, value);
    },
  };
}
