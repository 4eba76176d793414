import { defineCommand } from '../../command.ts';
import { userArgument, userNamed } from '../../resources/user.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'The user signs without a PIN until they set a new one; only the user can set it.',
  arguments: userArgument,
  examples: [['laudio user reset-pin helena', 'a forgotten or locked PIN']],
  async run(context, { user: word }) {
    const operator = await context.operator();
    const { id } = await userNamed(operator, word);
    const { data } = await operator.users.resetPin({ params: { id } });
    return messageView(`${data.username} signs without a PIN, until they set another.`, data);
  },
});
