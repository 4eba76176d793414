import { expect, test } from 'vitest';
import { createKeyedListeners, createListeners } from '../../src/domain/listeners.ts';

test('listeners hear in the order in which they were added, until they are removed', () => {
  const listeners = createListeners<[what: string]>();
  const heard: string[] = [];
  const remove = listeners.add((what) => heard.push(`first ${what}`));
  listeners.add((what) => heard.push(`second ${what}`));
  listeners.notify('a');
  remove();
  remove();
  listeners.notify('b');
  expect(heard).toEqual(['first a', 'second a', 'second b']);
  expect(listeners.size).toBe(1);
});

test('if one throws the others hear nevertheless, and the first error is thrown', () => {
  const listeners = createListeners();
  const heard: string[] = [];
  const failing = (message: string) => () => {
    throw new Error(message);
  };
  listeners.add(failing('one'));
  listeners.add(() => heard.push('between'));
  listeners.add(failing('two'));
  listeners.add(() => heard.push('last'));
  expect(() => listeners.notify()).toThrow('one');
  expect(heard).toEqual(['between', 'last']);
});

test('a listener may remove itself or another while it is called', () => {
  const listeners = createListeners();
  const heard: string[] = [];
  const removeFirst = listeners.add(() => {
    heard.push('first');
    removeFirst();
    removeSecond();
  });
  const removeSecond = listeners.add(() => heard.push('second'));
  listeners.add(() => heard.push('third'));
  listeners.notify();
  listeners.notify();
  expect(heard).toEqual(['first', 'third', 'third']);
});

test('a listener that is added while others hear hears the next', () => {
  const listeners = createListeners();
  let heard = 0;
  listeners.add(() => void listeners.add(() => heard++));
  listeners.notify();
  expect(heard).toBe(0);
  listeners.notify();
  expect(heard).toBe(1);
});

test('a listener that was added twice hears twice, until each is removed', () => {
  const listeners = createListeners();
  let heard = 0;
  const listener = (): void => void heard++;
  const [remove] = [listeners.add(listener), listeners.add(listener)];
  listeners.notify();
  expect(heard).toBe(2);
  remove!();
  remove!();
  listeners.notify();
  expect(heard).toBe(3);
});

test('a listener that notifies is called again, and later ones receive both', () => {
  const listeners = createListeners<[what: string]>();
  const heard: string[] = [];
  listeners.add((what) => {
    if (what === 'outer') listeners.notify('inner');
  });
  listeners.add((what) => heard.push(what));
  listeners.notify('outer');
  expect(heard).toEqual(['inner', 'outer']);
});

test('keyed listeners receive events of their key, and leave nothing behind', () => {
  const listeners = createKeyedListeners<string, [what: number]>();
  const heard: string[] = [];
  const removals = [
    listeners.add('a', (what) => heard.push(`a ${what}`)),
    listeners.add('a', (what) => heard.push(`a again ${what}`)),
    listeners.add('b', (what) => heard.push(`b ${what}`)),
  ];
  listeners.notify('a', 1);
  listeners.notify('c', 2);
  expect(heard).toEqual(['a 1', 'a again 1']);
  expect([...listeners.keys()]).toEqual(['a', 'b']);
  for (const remove of [...removals, ...removals]) remove();
  expect([...listeners.keys()]).toEqual([]);
  // A key that was left is as good as new, and a removal of before does not concern it.
  listeners.add('a', (what) => heard.push(`a anew ${what}`));
  for (const remove of removals) remove();
  listeners.notify('a', 3);
  expect(heard.at(-1)).toBe('a anew 3');
});
