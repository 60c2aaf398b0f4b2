/**
 * Ids of the cards that were deleted since `since`, or archived since then as their time was over, for a person
 * who sees the whole workspace and reads for no agent; anybody else gets none. Such a card changes no more, so
 * that its last edit is its end. `$1`, `$2`, `$4` and `$6` are those of `ReaderArguments`.
 */
export const deletedSince = (since: string): string => `
  SELECT d.id
    FROM cards d
   WHERE d.workspace_id = $1 AND $4::boolean AND $2::text IS NULL
     AND (d.status = 'deleted' OR d.status = 'archived' AND d.expires_at <= $6::timestamptz)
     AND d.edited_at >= ${since}::timestamptz AND d.purged_at IS NULL`;
