import { tombstonesFile } from '../../intake/tombstones-file';
import {
  erasureVerificationSchema,
  tombstonesAppliedSchema,
  tombstonesFileSchema,
  verifyErasureBody,
} from '../../schemas/erasure-proof';
import { Signer } from '../../store/signing';
import { allTombstones } from '../../store/tombstones-all';
import type { ApiDependencies, App } from '../app';
import { verifyErasure } from '../erasure-proof';
import { applyTombstones } from '../tombstones-applying';

/** What shows that something is gone, and what keeps it gone after a restore. */
export function erasureProofRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/erasures/verify',
    {
      schema: {
        summary: 'Look at a receipt once more: does what it says still hold?',
        description:
          'Checks the signature, looks whether an id that was erased stands in any table again, by its keyed ' +
          'hash, and looks for the texts of `search` in every durable place: every column of every table, what ' +
          'the planner remembers, Temporal’s histories and, on the embedded database, the bytes of its files. ' +
          '`ok` says that all of it holds; `missing` counts hashes that are no tombstones here, as after a ' +
          'restore. Nothing that is sent is kept.',
        tags: ['erasures'],
        body: verifyErasureBody,
        response: { 200: erasureVerificationSchema },
      },
    },
    async (request) => await verifyErasure(deps, request.caller.context.workspace, request.body),
  );

  app.get(
    '/v1/tombstones',
    {
      schema: {
        summary: 'What is erased, as keyed hashes, in a signed file to keep beside a backup',
        description:
          'No id stands in it. After a restore to an earlier point `POST /v1/tombstones` takes it, and erases ' +
          'again what was erased since; both need the same secret key.',
        tags: ['erasures'],
        response: { 200: tombstonesFileSchema },
      },
    },
    async (request) => {
      const { workspace } = request.caller.context;
      const all = await deps.database.inWorkspace(workspace, allTombstones);
      return tombstonesFile(workspace, all, {
        madeAt: deps.clock(),
        signer: new Signer(deps.secretKey),
      });
    },
  );

  app.post(
    '/v1/tombstones',
    {
      schema: {
        summary: 'Erase again what a restored backup brought back',
        description:
          'Writes the tombstones of the file that are not there, finds by hashing which ids of the database they ' +
          'stand for, and asks for an erasure of those; `erasure_id` is null where nothing had come back. Refused ' +
          'where the file was changed, or is of another workspace or secret key. Again it changes nothing.',
        tags: ['erasures'],
        body: tombstonesFileSchema,
        response: { 202: tombstonesAppliedSchema },
      },
    },
    async (request, reply) =>
      await reply.status(202).send(await applyTombstones(deps, request, request.body)),
  );
}
