/** Starts the browser that all test files with `useBrowser` share: each test has a context of its own in it, as another computer would be. */
import type { TestProject } from 'vitest/node';
import { startSharedChromium } from './chromium.ts';
import { sample } from './samples.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the shared browser is reached. */
    browser: string;
  }
}

/** Vitest calls it once, before the first file of its project, and what it returns at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await startSharedChromium({ microphone: sample('dictation.wav') });
  project.provide('browser', browser.wsEndpoint());
  return () => browser.close();
}
