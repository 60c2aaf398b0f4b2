/**
 * Whether card `c` is in a person's words: written by one, or reworded since. What a person reports as settled work,
 * with a key of theirs, is in words of the distiller, and no such card.
 */
export const IN_A_PERSONS_WORDS = `(c.distilled_by = 'person'
        OR c.writer_kind = 'person' AND c.event_id IS NULL
        OR EXISTS (SELECT 1 FROM card_versions v
                    WHERE v.workspace_id = c.workspace_id AND v.card_id = c.id AND v.actor_kind = 'person'
                      AND v.action = 'edited'))`;
