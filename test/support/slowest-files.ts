/** A reporter that ends a run with its slowest files, so that nobody has to look for where the time goes. */
import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

export const slowestFiles: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    if (modules.length <= shown) return;
    const files = modules.map((module) => ({
      name: module.relativeModuleId,
      wall: secondsOf(module),
      processor: module.meta().processorSeconds ?? 0,
    }));
    const lines = files
      .toSorted((a, b) => b.wall - a.wall)
      .slice(0, shown)
      .map(
        ({ name, wall, processor }) => `${wall.toFixed(1).padStart(8)} ${processor.toFixed(1).padStart(10)}  ${name}`,
      );
    process.stdout.write(['', ' Slowest files', '  wall s processor s', ...lines, ''].join('\n'));
  },
};

/** From the start of its process to its last hook. */
function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
}
