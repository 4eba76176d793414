import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The stories; `vite --config test/desktop/renderer/stories/vite.config.ts` and open the address. */
export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  optimizeDeps: { include: ['preact', 'preact/hooks', 'preact/jsx-dev-runtime', '@preact/signals'], noDiscovery: true },
  build: {
    outDir: 'dist-stories',
    rolldownOptions: { input: fileURLToPath(new URL('index.html', import.meta.url)) },
  },
});
