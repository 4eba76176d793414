import { AppError } from '../../src/contract/errors.ts';
import { defineCommand, flag } from '../command.ts';
import { startStage } from '../serving/demo/stage.ts';
import { story } from '../serving/demo/story.ts';

export const command = defineCommand({
  description:
    'A worklist arrives, an exam is dictated, a job runs, a report is made and signed, a webhook fires. Each step is a laudio command that you can type yourself, run as a separate process against a server in a temporary directory. Nothing is left behind.',
  options: { keep: flag('Keep the temporary directory') },
  async run(context, { keep }) {
    const stage = await startStage(context, keep);
    try {
      await story(stage);
    } catch (error) {
      if (context.signal.aborted) throw new AppError('INTERRUPTED', { cause: error });
      throw error;
    } finally {
      await stage.clear();
    }
  },
});
