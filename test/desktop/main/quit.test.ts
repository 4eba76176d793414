import { expect, test } from 'vitest';
import { closingMeans, quitSafely } from '../../../desktop/main/quit.ts';
import type { Ending } from '../../../desktop/main/quit.ts';

/** An app that quits when nobody holds it back, as Electron's does. */
function fakeApp() {
  let listener: (event: { preventDefault(): void }) => void = () => {};
  const app = {
    ended: 0,
    on(_event: 'before-quit', added: typeof listener) {
      listener = added;
    },
    quit() {
      let prevented = false;
      listener({ preventDefault: () => (prevented = true) });
      if (!prevented) app.ended += 1;
    },
  };
  return app;
}

const turn = () => new Promise(setImmediate);

function scene(ending: Partial<Ending> = {}) {
  const app = fakeApp();
  const told: unknown[] = [];
  let closed = 0;
  let asked = 0;
  const quitting = quitSafely(app, {
    failed: (error) => told.push(error),
    ...ending,
    mayQuit: () => {
      asked += 1;
      return ending.mayQuit?.() ?? Promise.resolve(true);
    },
    close: () => {
      closed += 1;
      return ending.close?.() ?? Promise.resolve();
    },
  });
  return { app, told, quitting, counts: () => ({ asked, closed, ended: app.ended }) };
}

test('the app ends after everything was closed, and closes once', async () => {
  const closing = Promise.withResolvers<void>();
  const { app, quitting, counts } = scene({ close: () => closing.promise });
  app.quit();
  app.quit();
  await turn();
  app.quit();
  expect(counts()).toEqual({ asked: 1, closed: 1, ended: 0 });
  expect(quitting.isAgreed).toBe(true);
  closing.resolve();
  await turn();
  expect(counts()).toEqual({ asked: 1, closed: 1, ended: 1 });
});

test('a person who goes on recording keeps the app, and is asked again the next time', async () => {
  const answers = [false, true];
  const { app, quitting, counts } = scene({ mayQuit: async () => answers.shift() ?? false });
  app.quit();
  await turn();
  expect(counts()).toEqual({ asked: 1, closed: 0, ended: 0 });
  expect(quitting.isAgreed).toBe(false);
  app.quit();
  await turn();
  expect(counts()).toEqual({ asked: 2, closed: 1, ended: 1 });
});

test('a machine that is switched off is not kept waiting by the question', async () => {
  const question = Promise.withResolvers<boolean>();
  const { app, quitting, counts } = scene({ mayQuit: () => question.promise });
  app.quit();
  quitting.now();
  quitting.now();
  await turn();
  expect(counts()).toEqual({ asked: 1, closed: 1, ended: 1 });
  question.resolve(false);
  await turn();
  expect(counts()).toEqual({ asked: 1, closed: 1, ended: 1 });
});

test('the app ends also when closing or asking failed, and says so', async () => {
  const full = new Error('disk full');
  const first = scene({ close: () => Promise.reject(full) });
  first.app.quit();
  await turn();
  expect([first.told, first.app.ended]).toEqual([[full], 1]);

  const gone = new Error('no window');
  const second = scene({ mayQuit: () => Promise.reject(gone) });
  second.app.quit();
  await turn();
  expect([second.told, second.app.ended]).toEqual([[gone], 1]);
});

test('an installer may end the app instead, as the last step', async () => {
  const steps: string[] = [];
  const { app, counts } = scene({
    close: async () => void steps.push('close'),
    finish: () => {
      steps.push('install');
      return true;
    },
  });
  app.quit();
  await turn();
  expect([steps, counts().ended]).toEqual([['close', 'install'], 0]);
  // What it does to end it is not held back any more.
  app.quit();
  expect(counts()).toEqual({ asked: 1, closed: 1, ended: 1 });
});

test('the cross of the window hides it on a Mac and quits elsewhere', () => {
  expect(closingMeans('darwin')).toBe('hide');
  expect(closingMeans('win32')).toBe('quit');
  expect(closingMeans('linux')).toBe('quit');
});
