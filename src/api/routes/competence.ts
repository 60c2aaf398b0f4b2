import { z } from 'zod';
import type { CompetenceRecord } from '../../contracts/competence';
import { labelSchema } from '../../schemas/event';
import { listQuery, pageSchema, textFilter } from '../../schemas/listing';
import { competenceSchema } from '../../schemas/listing-records';
import { readAgent } from '../../store/agent-directory';
import { listCompetence } from '../../store/competence';
import type { Tx } from '../../store/database';
import type { ApiDependencies, App } from '../app';
import { type Position, pageOf, positionIn } from '../paging';

/** The sort key of the list: best evidence first. */
const BY_EVIDENCE = z.tuple([z.number(), z.number(), labelSchema, labelSchema]);

export function competenceRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/competence',
    {
      schema: {
        summary: 'Who is good at what, best evidence first; an agent sees the record of its team',
        tags: ['competence'],
        querystring: listQuery({ task_type: textFilter, agent: textFilter, team: textFilter }),
        response: { 200: pageSchema(competenceSchema) },
      },
    },
    async (request) => {
      const { limit, cursor, task_type, agent, team } = request.query;
      const { memoryOff } = request.caller;
      const { workspace, agent: reader } = request.caller.context;
      const filter = {
        taskType: task_type ?? null,
        agent: agent === undefined ? null : deps.pseudonyms.of(workspace, agent),
        team: team ?? null,
      };
      const now = deps.clock();
      const records = await deps.database.inWorkspace(workspace, async (tx) => {
        if (memoryOff) return [];
        const all = await listCompetence(tx, filter, now);
        return reader === null ? all : await ofTeam(tx, reader, all, now);
      });
      const after = positionIn(cursor, BY_EVIDENCE);
      const rows = records
        .toSorted((a, b) => order(positionOf(a), positionOf(b)))
        .filter((record) => after === null || order(positionOf(record), after) > 0);
      return pageOf(rows, limit, positionOf, records.length);
    },
  );
}

/** The record stands where its cards stand: in the team of the agent that did the work. */
async function ofTeam(
  tx: Tx,
  reader: string,
  records: readonly CompetenceRecord[],
  now: Date,
): Promise<CompetenceRecord[]> {
  const team = (await readAgent(tx, reader))?.team ?? null;
  const mates = new Set([reader]);
  if (team !== null) {
    const mine = await listCompetence(tx, { taskType: null, agent: null, team }, now);
    for (const record of mine) mates.add(record.agent);
  }
  return records.filter((record) => mates.has(record.agent));
}

function positionOf(record: CompetenceRecord): [number, number, string, string] {
  return [record.lower_bound, record.attempts, record.agent, record.task_type];
}

/** Higher evidence and more attempts first, then by name. */
function order(a: Position, b: Position): number {
  for (const [at, mine] of a.entries()) {
    const other = b[at];
    if (other === undefined || mine === other) continue;
    if (typeof mine === 'number' && typeof other === 'number') return other - mine;
    return mine < other ? -1 : 1;
  }
  return 0;
}
