/**
 * Ids of the cards that were deleted since `$25`, for a person who sees the whole workspace and reads
 * for no agent; anybody else gets none. A deleted card changes no more, so that its last edit is its
 * deletion. `$1`, `$2` and `$4` are those of `ReaderArguments`.
 */
export const DELETED_SINCE = `
  SELECT d.id
    FROM cards d
   WHERE d.workspace_id = $1 AND $4::boolean AND $2::text IS NULL
     AND d.status = 'deleted' AND d.edited_at >= $25::timestamptz`;
