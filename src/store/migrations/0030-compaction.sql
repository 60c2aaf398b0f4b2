-- Compactions that are under way: the sweep looks for those that were lost.
CREATE INDEX conversations_compacting ON conversations (workspace_id, id) WHERE compacting IS NOT NULL;
