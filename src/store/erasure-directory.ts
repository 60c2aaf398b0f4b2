import { forgetSessions } from './card-writes-erased-sessions';
import { noteWhatIsSaid } from './card-writes-erased-terms';
import type { Tx } from './database';
import { leaveHeldNames } from './erasure-held-names';
import { nextItems, setItems } from './erasure-items';
import { eraseReasonsBy } from './erasure-reasons';
import { type ErasureWalk, NOTHING_LEFT, type WalkBatch } from './erasure-walk';

const NAMED = 200;
const NAMED_KINDS = ['subject', 'person', 'agent', 'source', 'project'] as const;
type NamedKind = (typeof NAMED_KINDS)[number];

/** Whose id stands in a column of a row that stays; a log has a surrogate, whose name goes. */
const SOMEBODY = `'erased'`;

/** `[table, statement]`: what it changes is counted as rows of the table where it deletes. */
type Step = readonly [string, string];

const surrogates = (kind: string): Step => [
  'surrogates',
  `DELETE FROM surrogates WHERE workspace_id = $1 AND kind = '${kind}' AND name = ANY ($2)`,
];

const renamed = (table: string, column: string, kind: string | null = null): Step => [
  table,
  `UPDATE ${table} SET ${column} = ${SOMEBODY}
    WHERE workspace_id = $1 AND ${column} = ANY ($2)${kind === null ? '' : ` AND ${kind}`}`,
];

const reasonsOf = (kind: string): Step => [
  'reasons',
  `DELETE FROM reasons WHERE workspace_id = $1
      AND id IN (SELECT a.reason_id FROM surrogates s
                   JOIN audit_log a ON a.workspace_id = $1 AND a.target_type = '${kind}' AND a.target_id = s.id
                  WHERE s.workspace_id = $1 AND s.kind = '${kind}' AND s.name = ANY ($2))`,
];

const STEPS: Readonly<Record<NamedKind, readonly Step[]>> = {
  subject: [
    [
      'people',
      'UPDATE people SET subject_id = NULL WHERE workspace_id = $1 AND subject_id = ANY ($2)',
    ],
    reasonsOf('subject'),
    ['subjects', 'DELETE FROM subjects WHERE workspace_id = $1 AND id = ANY ($2)'],
    surrogates('subject'),
  ],
  person: [
    [
      'api_keys',
      `DELETE FROM api_keys WHERE workspace_id = $1 AND principal_kind = 'person' AND principal_id = ANY ($2)`,
    ],
    [
      'idempotency',
      `DELETE FROM idempotency WHERE workspace_id = $1
          AND principal IN (SELECT 'person:' || p.id FROM unnest($2::text[]) AS p (id))`,
    ],
    reasonsOf('person'),
    [
      'recalls',
      'UPDATE recalls SET person_id = NULL WHERE workspace_id = $1 AND person_id = ANY ($2)',
    ],
    renamed('proposal_decisions', 'by_person'),
    renamed('decision_intents', 'by_person'),
    renamed('proposals', 'proposed_by', `proposed_by_kind = 'person'`),
    renamed('proposals', 'proposed_for'),
    renamed('runs', 'asked_by'),
    renamed('card_versions', 'actor_id', `actor_kind = 'person'`),
    renamed('skill_versions', 'writer_id', `writer_kind = 'person'`),
    renamed('pending_writes', 'decided_by_id', `decided_by_kind = 'person'`),
    renamed('insights', 'owner_id', `owner_kind = 'person'`),
    renamed('insight_actions', 'taken_by', `taken_kind = 'person'`),
    renamed('action_outcomes', 'by_id', `by_kind = 'person'`),
    renamed('metric_snapshots', 'source_id', `source_kind = 'person'`),
    renamed('actions', 'blocked_by'),
    renamed('legal_holds', 'set_by'),
    [
      'blackboard',
      `DELETE FROM blackboard WHERE workspace_id = $1 AND writer_kind = 'person' AND writer_id = ANY ($2)`,
    ],
    ['people', 'DELETE FROM people WHERE workspace_id = $1 AND id = ANY ($2)'],
    surrogates('person'),
  ],
  agent: [
    [
      'api_keys',
      `DELETE FROM api_keys WHERE workspace_id = $1 AND principal_kind = 'agent' AND principal_id = ANY ($2)`,
    ],
    [
      'idempotency',
      `DELETE FROM idempotency WHERE workspace_id = $1
          AND principal IN (SELECT 'agent:' || a.id FROM unnest($2::text[]) AS a (id))`,
    ],
    reasonsOf('agent'),
    [
      'reasons',
      `DELETE FROM reasons WHERE workspace_id = $1
          AND id IN (SELECT reason_id FROM sources WHERE workspace_id = $1 AND kind = 'agent' AND name = ANY ($2))`,
    ],
    [
      'sources',
      `DELETE FROM sources WHERE workspace_id = $1 AND kind = 'agent' AND name = ANY ($2)`,
    ],
    [
      'recalls',
      'UPDATE recalls SET agent_id = NULL WHERE workspace_id = $1 AND agent_id = ANY ($2)',
    ],
    ['competence', 'DELETE FROM competence WHERE workspace_id = $1 AND agent_id = ANY ($2)'],
    [
      'competence_observations',
      'DELETE FROM competence_observations WHERE workspace_id = $1 AND agent_id = ANY ($2)',
    ],
    [
      'confidence_marks',
      'DELETE FROM confidence_marks WHERE workspace_id = $1 AND agent_id = ANY ($2)',
    ],
    ['card_grants', 'DELETE FROM card_grants WHERE workspace_id = $1 AND agent_id = ANY ($2)'],
    ['group_members', 'DELETE FROM group_members WHERE workspace_id = $1 AND agent_id = ANY ($2)'],
    [
      'blackboard',
      `DELETE FROM blackboard WHERE workspace_id = $1 AND writer_kind = 'agent' AND writer_id = ANY ($2)`,
    ],
    [
      'scope_leases',
      `DELETE FROM scope_leases WHERE workspace_id = $1 AND scope_type = 'agent' AND scope_id = ANY ($2)`,
    ],
    [
      'reflected_scopes',
      `DELETE FROM reflected_scopes WHERE workspace_id = $1 AND scope_type = 'agent' AND scope_id = ANY ($2)`,
    ],
    [
      'scope_statistics',
      `DELETE FROM scope_statistics WHERE workspace_id = $1 AND scope_type = 'agent' AND scope_id = ANY ($2)`,
    ],
    renamed('sessions', 'root_agent'),
    renamed('card_versions', 'actor_id', `actor_kind = 'agent'`),
    renamed('skill_versions', 'writer_id', `writer_kind = 'agent'`),
    renamed('proposals', 'proposed_by', `proposed_by_kind = 'agent'`),
    renamed('pending_writes', 'decided_by_id', `decided_by_kind = 'agent'`),
    renamed('insights', 'owner_id', `owner_kind = 'agent'`),
    renamed('insight_actions', 'taken_by', `taken_kind = 'agent'`),
    renamed('action_outcomes', 'by_id', `by_kind = 'agent'`),
    [
      'runs',
      `UPDATE runs SET agent_id = CASE WHEN agent_id = ANY ($2) THEN NULL ELSE agent_id END,
              scope_id = CASE WHEN scope_type = 'agent' AND scope_id = ANY ($2) THEN 'erased:' || id ELSE scope_id END,
              workflow_id = CASE WHEN scope_type = 'agent' AND scope_id = ANY ($2) THEN 'erased/' || id ELSE workflow_id END
        WHERE workspace_id = $1 AND (agent_id = ANY ($2) OR scope_type = 'agent' AND scope_id = ANY ($2))`,
    ],
    [
      'agents',
      'UPDATE agents SET parent_agent = NULL WHERE workspace_id = $1 AND parent_agent = ANY ($2)',
    ],
    ['agents', 'UPDATE agents SET succeeds = NULL WHERE workspace_id = $1 AND succeeds = ANY ($2)'],
    [
      // One that has worked since is known again.
      'agents',
      `DELETE FROM agents a WHERE a.workspace_id = $1 AND a.id = ANY ($2)
          AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.workspace_id = $1 AND c.agent_id = a.id)
          AND NOT EXISTS (SELECT 1 FROM pending_writes w WHERE w.workspace_id = $1 AND w.agent_id = a.id)
          AND NOT EXISTS (SELECT 1 FROM events e WHERE e.workspace_id = $1 AND e.agent_id = a.id)`,
    ],
    surrogates('agent'),
  ],
  source: [
    reasonsOf('service'),
    [
      'reasons',
      `DELETE FROM reasons WHERE workspace_id = $1
          AND id IN (SELECT reason_id FROM sources WHERE workspace_id = $1 AND kind = 'service' AND name = ANY ($2))`,
    ],
    [
      // That a person stopped it holds for what it sends next.
      'sources',
      `DELETE FROM sources WHERE workspace_id = $1 AND kind = 'service' AND name = ANY ($2) AND NOT stopped`,
    ],
    surrogates('service'),
  ],
  project: [
    reasonsOf('project'),
    ['projects', 'DELETE FROM projects WHERE workspace_id = $1 AND id = ANY ($2)'],
    surrogates('project'),
  ],
};

/** Takes who and what was named out of the directory, once nothing of it is left to be found by it. */
export async function eraseNames(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId } = walk;
  await leaveHeldNames(tx, erasureId);
  for (const kind of NAMED_KINDS) {
    const ids = await nextItems(tx, erasureId, { kind, states: ['root'], limit: NAMED });
    if (ids.length === 0) continue;
    await noteWhatIsSaid(tx, erasureId, kind, ids);
    const purged: Record<string, number> = {};
    if (kind === 'person' || kind === 'agent') {
      purged['reasons'] = await eraseReasonsBy(tx, erasureId, kind, ids);
    }
    for (const [table, statement] of STEPS[kind]) {
      const rows = await tx.query(`${statement} RETURNING 1`, [tx.workspace, ids]);
      if (statement.startsWith('DELETE')) purged[table] = (purged[table] ?? 0) + rows.length;
    }
    await setItems(tx, erasureId, kind, ids, 'done');
    return { touched: ids.length, purged, more: true };
  }
  return NOTHING_LEFT;
}

/** Empties the boards of sessions that went on about it, and takes those along of which nothing else is left. */
export async function eraseSessions(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId } = walk;
  const ids = await nextItems(tx, erasureId, { kind: 'session', states: ['root'], limit: NAMED });
  if (ids.length === 0) return NOTHING_LEFT;
  await noteWhatIsSaid(tx, erasureId, 'session', ids);
  const purged = await forgetSessions(tx, ids);
  await setItems(tx, erasureId, 'session', ids, 'done');
  return { touched: ids.length, purged, more: ids.length === NAMED };
}
