import { defineConfig } from 'vite';

/** Describes a value and does nothing else: unused descriptions of the contract don't travel to the page. */
const describing =
  'object named string integer number boolean array nullable oneOf literal anyOf freeForm timestamp endpoint group page envelope call'.split(
    ' ',
  );

/** The page, built to dist/renderer; served by the embedded server and by Electron's own protocol. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // Built by whomever and wherever, the page is the same: no element says in which file of which machine it was written.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: '../../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    // Nothing inlined as data: the page's security policy allows its own files only.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      treeshake: {
        manualPureFunctions: describing,
        propertyReadSideEffects: false,
        moduleSideEffects: [{ test: /[/\\](src|desktop[/\\]bridge\.ts)/, sideEffects: false }],
      },
    },
  },
});
