-- A reflection that is undone can be followed by another one, which reads the same cards and finds the same.

-- Of a unit that reflected: {at, id} of how far its scope was read before it, {} where it never was; null until it
-- moved that on.
ALTER TABLE runs ADD COLUMN read_from jsonb;
-- When its run was undone: it counts no longer as found before.
ALTER TABLE reflections ADD COLUMN forgotten_at timestamptz;
