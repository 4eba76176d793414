/** Dictation into other programs: what the clipboard holds, and which program presses the paste key. */
import { expect, test } from 'vitest';
import { choosePasteProgram, createAnywhere } from '../../../desktop/main/anywhere.ts';

function start({ pastes = true } = {}) {
  const world = { copied: 'before', pasted: [] as string[], opened: 0, pressed: 0 };
  const anywhere = createAnywhere<string>({
    open(closed) {
      world.opened += 1;
      return { press: () => (world.pressed += 1), close: closed };
    },
    clipboard: {
      read: async () => world.copied,
      text: async () => world.copied,
      write: async (text) => void (world.copied = text),
      restore: async (content) => void (world.copied = content),
    },
    async paste() {
      if (pastes) world.pasted.push(world.copied);
      return pastes;
    },
  });
  return { world, anywhere };
}

test('the first key opens the window, the next ones reach its page; the texts are pasted, and the clipboard is as before', async () => {
  const { world, anywhere } = start();
  anywhere.press();
  anywhere.press();
  expect([world.opened, world.pressed, anywhere.isOpen]).toEqual([1, 1, true]);
  expect(await anywhere.insert('one')).toBe('inserted');
  expect(await anywhere.insert('two')).toBe('inserted');
  anywhere.close();
  await anywhere.settled();
  expect([world.pasted, world.copied, anywhere.isOpen]).toEqual([['one', 'two'], 'before', false]);
  anywhere.press();
  expect(world.opened).toBe(2);
});

test('where no key can be pressed, the text waits in the clipboard; something copied meanwhile stays', async () => {
  const { world, anywhere } = start({ pastes: false });
  anywhere.press();
  expect([await anywhere.insert('one'), world.copied]).toEqual(['copied', 'one']);
  world.copied = 'newer';
  expect([await anywhere.insert('two'), world.copied]).toEqual(['copied', 'two']);
  anywhere.close();
  await anywhere.settled();
  expect(world.copied).toBe('newer');
  anywhere.press();
  await anywhere.insert('three');
  world.copied = 'newest';
  anywhere.close();
  await anywhere.settled();
  expect(world.copied).toBe('newest');
});

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string | undefined]>([
  ['win32', { SystemRoot: 'D:\\Win' }, 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
  ['darwin', {}, '/usr/bin/osascript'],
  ['linux', { DISPLAY: ':0' }, 'xdotool'],
  ['linux', { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' }, undefined],
  ['linux', {}, undefined],
])('the paste key on %s %j', (platform, env, file) => {
  expect(choosePasteProgram(platform, env)?.file).toBe(file);
});
