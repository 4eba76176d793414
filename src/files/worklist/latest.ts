/** As many names of a file as the lists of several days have, and few enough for a file of any size. */
const most = 20_000;

/** Values of the most recent names. */
export interface Latest<T> {
  get(name: string): T | undefined;
  set(name: string, value: T): void;
}

export function createLatest<T>(): Latest<T> {
  let present = new Map<string, T>();
  /** Those before: a map that loses its first entry at each new one is slow. */
  let former = new Map<string, T>();
  return {
    get: (name) => present.get(name) ?? former.get(name),
    set(name, value) {
      if (present.size >= most / 2) {
        former = present;
        present = new Map();
      }
      present.set(name, value);
    },
  };
}
