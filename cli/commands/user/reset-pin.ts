import { defineCommand } from '../../command.ts';
import { userArgument, userNamed } from '../../resources/user.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'The user signs without a PIN until they set another; only the user sets it.',
  arguments: userArgument,
  examples: [['laudio user reset-pin helena', 'who has forgotten it, or locked it']],
  async run(context, { user: word }) {
    const operator = await context.operator();
    const { id } = await userNamed(operator, word);
    const { data } = await operator.users.resetPin({ params: { id } });
    return messageView(`${data.username} signs without a PIN, until they set another.`, data);
  },
});
