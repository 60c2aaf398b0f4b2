/**
 * The writer's own earlier warnings about one service and operation, the latest first: the only
 * cards that a clause of a new card may come from (design §7).
 */
export const OWN_WARNINGS = `
  SELECT c.id AS card_id, c.summary, c.input_fields, c.error_signature, c.service, c.operation,
         c.valid_from AS occurred_at
    FROM cards c
   WHERE c.workspace_id = $1
     AND c.scope_type = 'agent' AND c.scope_id = $2
     AND c.kind = 'constraint' AND c.sign = 'failed'
     AND c.status IN ('pending', 'active', 'validated')
     AND c.service IS NOT DISTINCT FROM $3 AND c.operation IS NOT DISTINCT FROM $4
     AND c.valid_from < $5
   ORDER BY c.valid_from DESC, c.id
   LIMIT 10`;
