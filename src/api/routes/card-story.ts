import { z } from 'zod';
import { storySchema } from '../../schemas/card-story';
import { idParams } from '../../schemas/listing';
import type { ApiDependencies, App } from '../app';
import { readerOf } from '../card-rights';
import { storyOf } from '../card-story';

/** From any card: why it exists, what it became, who saw it, where it was put to use. */
export function cardStoryRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/cards/:id/story',
    {
      schema: {
        summary: 'Why a card exists, what it became, who saw it, and which recalls it went into',
        description:
          'For its own agent, a runtime for it, and people who govern. Lists hold the newest fifty, counts ' +
          'are whole, and `truncated` names the lists that have more. Cards that the caller does not see are ' +
          'in none of them.',
        tags: ['cards'],
        params: idParams,
        querystring: z.strictObject({}),
        response: { 200: storySchema },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const reader = readerOf(caller, deps.clock);
      return await deps.database.inWorkspace(reader[0], (tx) =>
        storyOf(tx, caller, reader, params.id),
      );
    },
  );
}
